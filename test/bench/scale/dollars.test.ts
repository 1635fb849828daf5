import { expect, test } from '@jest/globals';
import { dollarsOf, LOADS, type Load, MEMORY } from '../../../bench/scale/dollars.ts';
import type { JobCost } from '../../../bench/scale/limits.ts';

/** By AWS's list, for a million seconds of a gigabyte. */
const GIGABYTE = 13.3334;

const BUSY = LOADS['busy, results of 20 MB'];
const ALONE = LOADS['one message at a time, 20 MB'];

const dollars = (requests: number, messages: JobCost['messages'], load: Load = BUSY) =>
  new Map(
    dollarsOf(
      { requests, messages, reads: 0, moves: 0, writeUnits: new Map(), logBytes: 1_000, rows: [] },
      load,
      'us-east-1',
    ),
  );

const NONE = { submitter: 0, poller: 0, copier: 0, deliverer: 0 };
const ONE_OF_EACH = { submitter: 1, poller: 1, copier: 1, deliverer: 1 };

test.each([
  ['acceptor', 10, NONE, BUSY],
  ['submitter', 0, { ...NONE, submitter: 9 }, BUSY],
  ['submitter', 0, { ...NONE, submitter: 1 / 0.6 }, ALONE],
  ['poller', 0, { ...NONE, poller: 15 }, BUSY],
  ['poller', 0, { ...NONE, poller: 1 / 0.6 }, ALONE],
  ['copier', 0, { ...NONE, copier: 0.25 }, BUSY],
  ['copier', 0, { ...NONE, copier: 1 / 1.2 }, LOADS['busy, results of 1 MiB']],
  ['deliverer', 0, { ...NONE, deliverer: 10 / 0.3 }, BUSY],
  ['deliverer', 0, { ...NONE, deliverer: 1 / 0.3 }, ALONE],
] as const)('a second of the %s costs what its memory does', (name, requests, messages, load) => {
  const time = dollars(requests, messages, load).get('Lambda, time');
  expect(time).toBeCloseTo((MEMORY[name] / 1024) * GIGABYTE, 6);
});

test('a message alone costs three requests of SQS and one run, and a submit one more run', () => {
  const parts = dollars(1, ONE_OF_EACH, ALONE);
  expect(parts.get('SQS')).toBeCloseTo(3 * 4 * 0.4, 6);
  expect(parts.get('Lambda, runs')).toBeCloseTo(5 * 0.2, 6);
});

test('ten messages are received, handled and deleted as one, six by submitters, and each alone by copiers', () => {
  const batches = 1 + 1 / 6 + 2 / 10;
  const parts = dollars(0, ONE_OF_EACH);
  expect(parts.get('SQS')).toBeCloseTo((4 + 2 * batches) * 0.4, 6);
  expect(parts.get('Lambda, runs')).toBeCloseTo(batches * 0.2, 6);
});

test('each run has lines of its own in the log', () => {
  expect(dollars(1, NONE).get('logs')).toBeCloseTo((1_000 + 400) * 0.0005, 6);
});

test('all is the sum of its parts', () => {
  const { 'in all': all, ...parts } = Object.fromEntries(dollars(1, ONE_OF_EACH));
  expect(all).toBeCloseTo(
    Object.values(parts).reduce((sum, part) => sum + part, 0),
    6,
  );
});
