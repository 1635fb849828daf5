import { expect, test } from '@jest/globals';
import { dollarsOf, MEMORY } from '../../../bench/scale/dollars.ts';
import type { JobCost } from '../../../bench/scale/limits.ts';

/** By AWS's list, for a million seconds of a gigabyte. */
const GIGABYTE = 13.3334;

const dollars = (requests: number, messages: JobCost['messages']) =>
  new Map(dollarsOf({ requests, messages, reads: 0, writeUnits: new Map(), rows: [] }));

const NONE = { submitter: 0, poller: 0, copier: 0, deliverer: 0 };

test.each([
  ['acceptor', 10, NONE],
  ['submitter', 0, { ...NONE, submitter: 1 / 0.6 }],
  ['poller', 0, { ...NONE, poller: 9 }],
  ['copier', 0, { ...NONE, copier: 0.25 }],
  ['deliverer', 0, { ...NONE, deliverer: 10 / 0.3 }],
] as const)('a second of the %s costs what its memory does', (name, requests, messages) => {
  const time = dollars(requests, messages).get('Lambda, time');
  expect(time).toBeCloseTo((MEMORY[name] / 1024) * GIGABYTE, 6);
});

test('a message costs three requests of SQS and one run, and a submit one more run', () => {
  const parts = dollars(1, { submitter: 1, poller: 1, copier: 1, deliverer: 1 });
  expect(parts.get('SQS: sent, received and deleted')).toBeCloseTo(3 * 4 * 0.4, 6);
  expect(parts.get('Lambda, runs')).toBeCloseTo(5 * 0.2, 6);
});

test('all is the sum of its parts', () => {
  const { 'in all': all, ...parts } = Object.fromEntries(
    dollars(1, { submitter: 1, poller: 1, copier: 1, deliverer: 1 }),
  );
  expect(all).toBeCloseTo(
    Object.values(parts).reduce((sum, part) => sum + part, 0),
    6,
  );
});
