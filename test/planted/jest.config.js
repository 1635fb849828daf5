import whole from '../../jest.config.js';

const [{ transform, ...unit } = {}] = whole.projects;
const [[pattern, [, options]] = ['', []]] = Object.entries(transform);

/** The fast tests, over sources in which one bug is planted. */
export default {
  ...unit,
  rootDir: '../..',
  testPathIgnorePatterns: [],
  workerIdleMemoryLimit: whole.workerIdleMemoryLimit,
  maxWorkers: 1,
  transform: { [pattern]: ['<rootDir>/test/planted/planting-transform.js', options] },
};
