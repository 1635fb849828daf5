import whole from '../../jest.config.js';

const [unit] = whole.projects;

/** Runs the fast tests on sources with one planted bug. */
export default {
  ...unit,
  rootDir: '../..',
  testPathIgnorePatterns: [],
  workerIdleMemoryLimit: whole.workerIdleMemoryLimit,
  maxWorkers: 1,
  runtime: '<rootDir>/test/planted/planting-runtime.js',
};
