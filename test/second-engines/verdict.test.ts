import { expect, test } from '@jest/globals';
import { judge } from './verdict.ts';

const report = (file: string, ...tests: [name: string, status: string][]) => ({
  name: `/checkout/test/${file}`,
  status: tests.every(([, status]) => status === 'passed') ? 'passed' : 'failed',
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});
const differs = (file: string, test: string) => ({ part: 'conformance', file, test, reason: 'x' }) as const;

test('passed and failed tests are counted by what is known of them', () => {
  const a = report('a.test.ts', ['x is 1', 'passed'], ['x is 2', 'failed'], ['y', 'failed'], ['z', 'passed']);
  const verdict = judge({ testResults: [a] }, [differs('test/a.test.ts', 'x'), differs('b.test.ts', 'y')]);
  expect(verdict).toEqual({
    passed: 2,
    explained: 1,
    unexplained: ['/checkout/test/a.test.ts: y'],
    outdated: ['/checkout/test/a.test.ts: x is 1'],
  });
});

test('a file that could not be loaded is not passed over', () => {
  const broken = { name: '/checkout/test/a.test.ts', status: 'failed', assertionResults: [] };
  expect(judge({ testResults: [broken] }, []).unexplained).toEqual(['/checkout/test/a.test.ts']);
});

test('a test that did not run is not one that passed', () => {
  const skipped = report('a.test.ts', ['x', 'pending']);
  expect(judge({ testResults: [skipped] }, []).unexplained).toEqual(['/checkout/test/a.test.ts: x']);
});
