import whole from '../../jest.config.js';

const [unit] = whole.projects;

/** The fast tests, over sources in which one bug is planted. */
export default {
  ...unit,
  rootDir: '../..',
  testPathIgnorePatterns: [],
  workerIdleMemoryLimit: whole.workerIdleMemoryLimit,
  maxWorkers: 1,
  runtime: '<rootDir>/test/planted/planting-runtime.js',
};
