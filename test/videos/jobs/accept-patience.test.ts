import { beforeEach, expect, jest, test } from '@jest/globals';
import { RateLimited } from '../../../functions/http/errors.ts';
import { emptyAccount } from '../../../functions/money/account.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from './job-fixture.ts';

let now: number;
let pauses: number[];
/** How long each pause lasts; the last one is repeated. */
let lasting: readonly number[];

jest.unstable_mockModule('../../../functions/aws/jittered-pause.ts', () => ({
  jitteredPause: async (milliseconds: number) => {
    now += lasting[pauses.length] ?? lasting.at(-1) ?? 0;
    pauses.push(milliseconds);
  },
}));
const { acceptJob } = await import('../../../functions/videos/jobs/accept-job.ts');

beforeEach(() => {
  now = START.getTime();
  pauses = [];
});

/** A submit whose accounts have always changed since they were read. @returns how they were read; nothing is learnt */
async function submitInVain(): Promise<string[]> {
  const { dynamo: client } = new AwsWorld().startProcess();
  const jobs = new JobStore(client, await createTable(client, 'id'), () => undefined);
  const accounts = new AccountStore(client, await createTable(client, 'account'));
  const reads: string[] = [];
  const reading = (how: string, isFresh: boolean) => async (ids: readonly string[]) => {
    reads.push(how);
    return { accounts: ids.map((id) => ({ ...emptyAccount(id), limits_version: 1 })), isFresh };
  };
  const book = {
    look: reading('look', false),
    read: reading('read', true),
    learn: () => void reads.push('learn'),
  };
  const ports = { client, jobs, accounts, book, now: () => new Date(now) };
  await expect(acceptJob(aJob(), {}, ports)).rejects.toThrow(RateLimited);
  return reads;
}

test('a submit that always meets another one is tried with growing pauses, and then refused', async () => {
  lasting = [0];
  expect(await submitInVain()).toEqual(['look', ...Array.from({ length: 15 }, () => 'read')]);
  expect(pauses).toEqual([50, 100, 200, 400, ...Array.from({ length: 9 }, () => 800)]);
});

test.each([
  [[2_000], 4],
  [[2_000, 2_000, 2_001], 3],
  [[6_000, 0, 1], 3],
])('with pauses of %j ms no attempt begins after six seconds: there are %i pauses', async (each, count) => {
  lasting = each;
  const reads = await submitInVain();
  expect([pauses.length, reads.length]).toEqual([count, 3 + count]);
});
