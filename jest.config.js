/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
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
  errorOnDeprecated: true,
};
