import { expect, test } from '@jest/globals';
import { dollarsOf, MEMORY } from '../../../bench/scale/dollars.ts';
import type { JobCost } from '../../../bench/scale/limits.ts';

/** By AWS's list, for a million seconds of a gigabyte. */
const GIGABYTE = 13.3334;

const lambdaTime = (requests: number, messages: JobCost['messages']): number =>
  new Map(dollarsOf({ requests, messages, reads: 0, writeUnits: new Map(), rows: [] })).get('Lambda, time') ??
  0;

const NONE = { poller: 0, copier: 0, deliverer: 0 };

test.each([
  ['submitter', 10, NONE],
  ['poller', 0, { ...NONE, poller: 9 }],
  ['copier', 0, { ...NONE, copier: 0.25 }],
  ['deliverer', 0, { ...NONE, deliverer: 10 / 0.3 }],
] as const)('a second of the %s costs what its memory does', (name, requests, messages) => {
  expect(lambdaTime(requests, messages)).toBeCloseTo((MEMORY[name] / 1024) * GIGABYTE, 6);
});
