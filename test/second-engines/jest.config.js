import { resolve } from 'node:path';
import config from '../../jest.config.js';

const rootDir = resolve(import.meta.dirname, '../..');
const here = '<rootDir>/test/second-engines';
const contract = config.projects.find(({ displayName }) => displayName === 'contract');

/**
 * What `npm run engines` runs. `conformance` asks the servers directly: the conformance tests of the engines in memory,
 * the tests of stores, and what our own client of S3 sends and signs. KMS has no second engine.
 * @type {import('jest').Config}
 */
export default {
  ...config,
  rootDir,
  projects: [
    {
      ...contract,
      displayName: 'conformance',
      rootDir,
      testEnvironment: `${here}/differing-environment.ts`,
      testMatch: ['<rootDir>/test/**/*.both.*test.ts', '<rootDir>/test/contract/object-uploads.test.ts'],
      testPathIgnorePatterns: ['/kms\\.both\\.test\\.ts$'],
      moduleNameMapper: { '/tested-clients\\.ts$': `${here}/tested-clients.ts` },
      globalSetup: `${here}/set-up.ts`,
      globalTeardown: `${here}/tear-down.ts`,
    },
    {
      ...contract,
      rootDir,
      testPathIgnorePatterns: ['\\.both\\.'],
      globalSetup: `${here}/set-up-contract.ts`,
      globalTeardown: `${here}/tear-down.ts`,
    },
  ],
};
