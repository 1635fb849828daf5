import { availableParallelism } from 'node:os';

const swc = {
  jsc: {
    parser: { syntax: 'typescript' },
    target: 'esnext',
    // Without its attribute, an import of JSON is not allowed.
    experimental: { keepImportAttributes: true },
  },
};

// For `npm run test:planted`. The settings of a transform are part of the keys of Jest's cache.
const planted = process.env.GENWAY_PLANTED;
const transform =
  planted === undefined
    ? ['@swc/jest', swc]
    : ['<rootDir>/test/planted/planting-transform.ts', { ...swc, planted: JSON.parse(planted) }];

const shared = {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': transform },
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist', '<rootDir>/.genway'],
};

// Their packages are their own, so `npm run vendor-clients` and `npm run generators` alone do not ignore them.
const WITH_PACKAGES = ['/test/vendor-clients/', '/test/generators/'];
const NEEDS_A_STAGE = ['/test/infra/', '/test/contract/', '/test/console/browser/', '/test/drills/'];

/**
 * Four kinds of tests: rules alone, rules that take thousands of tries, the stack's synthesis or a process
 * (`*.thorough.test.ts`), the template that would be deployed, and the deployed stage over HTTP.
 * @type {import('jest').Config}
 */
export default {
  // One more than there are cores, because tests of the deployed stage mostly wait for it.
  maxWorkers: availableParallelism() + 1,
  // The modules of a test file stay in memory when it ends.
  workerIdleMemoryLimit: '1GB',
  // With `--coverage`: what the unit and thorough tests run of the rules. Handlers run under `contract`, in
  // processes of their own, so they count as not covered here. The floors are what there is: they go up, never down.
  coverageProvider: 'v8',
  collectCoverageFrom: ['functions/**/*.ts'],
  coverageReporters: ['text-summary', 'html'],
  coverageThreshold: { global: { lines: 77, branches: 92 } },
  projects: [
    {
      ...shared,
      displayName: 'unit',
      globalSetup: '<rootDir>/test/deployed/set-up.ts',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: [...NEEDS_A_STAGE, ...WITH_PACKAGES, '\\.thorough\\.test\\.ts$'],
    },
    {
      ...shared,
      displayName: 'thorough',
      globalSetup: '<rootDir>/test/deployed/set-up.ts',
      testMatch: ['<rootDir>/test/**/*.thorough.test.ts'],
      testPathIgnorePatterns: NEEDS_A_STAGE,
    },
    {
      ...shared,
      displayName: 'infra',
      testMatch: ['<rootDir>/test/infra/**/*.test.ts'],
      globalSetup: '<rootDir>/test/infra/set-up.ts',
    },
    {
      ...shared,
      displayName: 'contract',
      testMatch: [
        '<rootDir>/test/contract/**/*.test.ts',
        '<rootDir>/test/console/browser/*.test.ts',
        '<rootDir>/test/**/*.both.*test.ts',
      ],
      // The other projects test on the engines what is tested here on the emulator.
      moduleNameMapper: { '/tested-clients\\.ts$': '<rootDir>/test/contract/tested-clients.ts' },
      globalSetup: '<rootDir>/test/contract/set-up.ts',
      globalTeardown: '<rootDir>/test/contract/tear-down.ts',
    },
  ],
};
