import { expect, test } from '@jest/globals';
import { overdueRow } from '../../../functions/sweeping/swept-rows.ts';
import { LAST_WORD_MILLISECONDS } from '../../../functions/videos/jobs/job-machine.ts';
import {
  GRACE_MILLISECONDS,
  isGivenUpBy,
  JOB_ROWS,
  sweepJob,
} from '../../../functions/videos/jobs/sweep-job.ts';
import { aJob, START } from './job-fixture.ts';

const MINUTE = 60_000;
const NEXT_RUN = 30_000;
const DEADLINE = START.getTime();
const LAST_WORD = DEADLINE + LAST_WORD_MILLISECONDS;
const GIVEN_UP = isGivenUpBy(DEADLINE);

/** @returns when the sweeper will look again, and what it has sent and logged */
async function sweep(now: number, change: Record<string, unknown>) {
  const done: unknown[] = [];
  const row: Record<string, unknown> = { ...aJob({ deadline_at: DEADLINE }), ...change };
  const queue = (name: string) => ({
    send: async (...sent: unknown[]) => void done.push([name, ...sent]),
  });
  await sweepJob(
    { id: aJob().id, due_at: START.getTime() },
    {
      sweptRows: {
        find: async () => overdueRow(row, JOB_ROWS),
        postpone: async (_, dueAt) => {
          done.push(dueAt + GRACE_MILLISECONDS);
          return true;
        },
      },
      quarantine: {
        add: async (_, reason, at) => {
          done.push(reason, at);
          return true;
        },
      },
      countQuarantined: () => done.push('counted'),
      queueOf: (phase) => queue(String(phase)),
      now: () => new Date(now),
      log: {
        info: () => undefined,
        warn: (message, fields) => done.push([message, fields]),
        error: () => undefined,
      },
    },
  );
  return done;
}

test.each([
  ['two minutes after the first sweep', 0, DEADLINE - 60 * MINUTE, DEADLINE - 58 * MINUTE],
  ['a quarter of an hour after many', 9, DEADLINE - 60 * MINUTE, DEADLINE - 44 * MINUTE],
  ['no later than at its last word', 9, LAST_WORD - MINUTE, LAST_WORD],
  ['at its last word, a moment before it', 0, LAST_WORD - 1, LAST_WORD],
  ['earlier, where that is sooner', 0, LAST_WORD - 3 * MINUTE, LAST_WORD - MINUTE],
  ['at every run from its last word on', 0, LAST_WORD, LAST_WORD + NEXT_RUN],
  ['at every run until it is given up', 9, GIVEN_UP - 1, GIVEN_UP - 1 + NEXT_RUN],
  ['seldom after that', 9, GIVEN_UP, GIVEN_UP + 16 * MINUTE],
])('the sweeper looks at a job again %s', async (_, sweeps, now, expected) => {
  const [visit] = await sweep(now, { sweeps });
  expect(visit).toBe(expected);
});

test.each([
  [{ phase: 'polling', link: 'mine' }, 'polling', { seq: 4, link: 'mine' }],
  [{ phase: 'copying', link: undefined }, 'copying', { seq: 4 }],
  [{ phase: 'of a later version', link: '' }, 'undefined', { seq: 4, link: '' }],
])('an overdue job as %j is noted, and gets its message again', async (change, queue, link) => {
  const { id, workspace_id } = aJob();
  const [, noted, sent, ...others] = await sweep(DEADLINE, { seq: 4, sweeps: 1, ...change });
  expect(noted).toEqual(['job was overdue', { job_id: id, sweeps: 2 }]);
  expect(sent).toEqual([queue, { v: 1, job_id: id, ...link }, workspace_id, 0]);
  expect(others).toEqual([]);
});

test('a job that cannot go on is taken out of the queue', async () => {
  const now = DEADLINE + 60 * MINUTE;
  const done = await sweep(now, { sweeps: 2 });
  expect(done).toEqual([
    'its deadline passed at least an hour ago, and no worker has moved it or reported an error',
    new Date(now),
    'counted',
  ]);
});

test.each([
  ['submitting', 1, 'at work'],
  ['copying', 1, 'at work'],
  ['copying', 0, 'overdue'],
  // A step since the lease has sent a message.
  ['polling', 1, 'overdue'],
] as const)(
  'takes the worker of a job that is %s, and leased for %i ms more, for %s',
  async (phase, left, as) => {
    const now = DEADLINE - 60 * MINUTE;
    const leased_until = now + left;
    const done = await sweep(now, { phase, seq: 3, link: 'link', step: 'begun', leased_until });
    if (as === 'at work') expect(done).toEqual([leased_until + GRACE_MILLISECONDS]);
    else expect(done).toContainEqual(['job was overdue', expect.anything()]);
  },
);
