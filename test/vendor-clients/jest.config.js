import { resolve } from 'node:path';
import config from '../../jest.config.js';

const rootDir = resolve(import.meta.dirname, '../..');
const [unit] = config.projects;

/**
 * What `npm run vendor-clients` runs. The clients are packages of this folder alone.
 * @type {import('jest').Config}
 */
export default {
  ...config,
  rootDir,
  projects: [
    {
      ...unit,
      displayName: 'vendor-clients',
      rootDir,
      testMatch: ['<rootDir>/test/vendor-clients/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
    },
  ],
};
