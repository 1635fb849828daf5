import { describe, expect, test } from '@jest/globals';
import { overdueRow } from '../../../functions/sweeping/swept-rows.ts';
import { isGivenUpBy, JOB_ROWS, quarantineReason } from '../../../functions/videos/jobs/sweep-job.ts';
import { aJob } from './job-fixture.ts';

const MINUTE = 60_000;
const DEADLINE = aJob().deadline_at;
const READABLE = { ...aJob(), step: 'step-1', sweeps: 2 };
const FAILING = { ...READABLE, failure: 'no such key', failed_step: 'step-1' };

const reasonFor = (row: Record<string, unknown>, late: number) =>
  quarantineReason(overdueRow(row, JOB_ROWS), new Date(DEADLINE + late));

describe('a job past its deadline', () => {
  test.each<[string, Record<string, unknown>, number, RegExp | undefined]>([
    ['is left to its workers', READABLE, 7 * MINUTE, undefined],
    ['whose workers fail gets its last word', FAILING, 7 * MINUTE - 1, undefined],
    ['whose workers fail is quarantined then', FAILING, 7 * MINUTE, /^workers fail on it: no such key$/],
    ['is swept twice before', { ...FAILING, sweeps: 1 }, 7 * MINUTE, undefined],
    ['that has moved on since it failed is left', { ...FAILING, step: 'step-2' }, 7 * MINUTE, undefined],
    [
      'that cannot be read is quarantined',
      { ...READABLE, model: 1 },
      7 * MINUTE,
      /^its row cannot be read: model$/,
    ],
    [
      'that cannot be read in two places says both',
      { ...READABLE, model: 1, status: 'x' },
      7 * MINUTE,
      /^its row cannot be read: model, status$/,
    ],
    ['of which nobody says anything gets an hour', READABLE, 60 * MINUTE - 1, undefined],
    [
      'of which nobody says anything goes then',
      READABLE,
      60 * MINUTE,
      /^its deadline passed at least an hour ago, and no worker has moved it/,
    ],
    [
      'has passed it where it cannot be read',
      { ...READABLE, deadline_at: 'x' },
      -DEADLINE / 2,
      /deadline_at$/,
    ],
  ])('%s', (_, row, late, reason) => {
    if (reason === undefined) expect(reasonFor(row, late)).toBeUndefined();
    else expect(reasonFor(row, late)).toMatch(reason);
  });

  test('is out of the way ten minutes later', () => {
    expect(isGivenUpBy(DEADLINE)).toBe(DEADLINE + 10 * MINUTE);
  });
});
