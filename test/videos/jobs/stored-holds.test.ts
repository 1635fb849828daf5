import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  CREDITS,
  emptyAccount,
  guardrailAccount,
  keyAccount,
  workspaceAccount,
} from '../../../functions/money/account.ts';
import { holdOf } from '../../../functions/money/hold.ts';
import { leaseAccount } from '../../../functions/money/lease.ts';
import { micros } from '../../../functions/money/micros.ts';
import { jobSchema } from '../../../functions/videos/jobs/job.ts';
import { shortHold } from '../../../functions/videos/jobs/stored-holds.ts';
import { aJob, START } from './job-fixture.ts';

const job = aJob({ guardrail_id: 'guard' });
const heldBy = (account: string, at = START) =>
  holdOf(emptyAccount(account), [{ micros: micros(7), isByok: false }], at);
const key = heldBy(keyAccount(job.key_hash));
const NEXT_YEAR = new Date('2027-01-01T00:00:00Z');

describe('a hold in a job’s row', () => {
  test.each([
    ['key', keyAccount(job.key_hash)],
    ['workspace', workspaceAccount(job.workspace_id)],
    ['guardrail', guardrailAccount('guard')],
    ['lease', leaseAccount(job.workspace_id)],
  ])('is told by the %s and the micro-dollars', (of, account) => {
    expect(shortHold(heldBy(account), job)).toEqual({ of, micros: 7 });
  });

  test.each([
    ['counts jobs on the caller’s own key', { ...key, counts_byok: true }],
    ['was taken after the day had changed', heldBy(key.account, NEXT_YEAR)],
    [
      'was taken in some periods that were over',
      { ...key, periods: { ...key.periods, daily: '2026-01-02' } },
    ],
    ['is of the credits themselves', heldBy(CREDITS)],
    ['is of somebody else', heldBy(keyAccount('other'))],
    ['is usual', key],
  ])('is read as it was, where it %s', (_, hold) => {
    const row = { ...job, holds: [shortHold(hold, job)] };
    expect(v.parse(jobSchema, row).holds).toEqual([hold]);
  });

  test('is read in rows of older versions, which have whole ones', () => {
    expect(v.parse(jobSchema, { ...job, holds: [key] }).holds).toEqual([key]);
  });

  test('can be released where nobody can read when the job was created', () => {
    const row = { ...job, created_at: 'at some time', holds: [shortHold(key, job)] };
    expect(v.parse(jobSchema, row).holds).toMatchObject([
      { account: key.account, periods: { daily: '1970-01-01', lifetime: 'lifetime' } },
    ]);
  });
});
