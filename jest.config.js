const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2024',
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/dist', '<rootDir>/.genway'],
};

/**
 * Three kinds of tests: rules alone, the template that would be deployed, and the deployed stage over HTTP.
 * @type {import('jest').Config}
 */
export default {
  // With `--coverage`: what the unit tests alone run of the rules. Handlers run under `contract`, in processes of
  // their own, so they count as not covered here. The floors are what there is: they go up, never down.
  coverageProvider: 'v8',
  collectCoverageFrom: ['functions/**/*.ts'],
  coverageReporters: ['text-summary', 'html'],
  coverageThreshold: { global: { lines: 77, branches: 92 } },
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/test/infra/', '/test/contract/'],
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
      testMatch: ['<rootDir>/test/contract/**/*.test.ts'],
      globalSetup: '<rootDir>/test/contract/set-up.ts',
      globalTeardown: '<rootDir>/test/contract/tear-down.ts',
    },
  ],
};
