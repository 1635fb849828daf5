import { resolve } from 'node:path';
import config from '../../jest.config.js';

const [{ extensionsToTreatAsEsm, transform, modulePathIgnorePatterns }] = config.projects;

/**
 * What `npm run drills`, `drills:first` and `drills:rotation` run, each on an emulator of its own.
 * @type {import('jest').Config}
 */
export default {
  rootDir: resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/drills/*.test.ts'],
  extensionsToTreatAsEsm,
  transform,
  modulePathIgnorePatterns,
};
