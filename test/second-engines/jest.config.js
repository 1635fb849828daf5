import { resolve } from 'node:path';
import config from '../../jest.config.js';

const rootDir = resolve(import.meta.dirname, '../..');

const {
  globalSetup: _,
  globalTeardown: __,
  ...contract
} = config.projects.find(({ displayName }) => displayName === 'contract');

/**
 * What `npm run engines` runs straight at the servers: the conformance tests of the engines in memory, the tests of
 * stores, and what our own client of S3 sends and signs. KMS has no second engine.
 * @type {import('jest').Config}
 */
export default {
  rootDir,
  projects: [
    {
      ...contract,
      displayName: 'second engines',
      rootDir,
      testMatch: ['<rootDir>/test/**/*.both.*test.ts', '<rootDir>/test/contract/object-uploads.test.ts'],
      testPathIgnorePatterns: ['/kms\\.both\\.test\\.ts$'],
      moduleNameMapper: { '/tested-clients\\.ts$': '<rootDir>/test/second-engines/tested-clients.ts' },
    },
  ],
};
