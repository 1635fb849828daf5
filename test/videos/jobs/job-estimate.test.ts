import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { defined } from '../../../functions/defined.ts';
import { PaymentRequired, Unauthenticated } from '../../../functions/http/errors.ts';
import { CREDITS, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountBook } from '../../../functions/money/account-book.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { nextPlace, transition } from '../../../functions/videos/jobs/job-machine.ts';
import { waitBy } from '../../aws/virtual-waits.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aCandidate, aJob, START } from './job-fixture.ts';

waitBy(new AwsWorld());
const { estimateJob } = await import('../../../functions/videos/jobs/job-estimate.ts');
const { transact } = await import('../../../functions/aws/dynamo-writes.ts');
const { AccountStore } = await import('../../../functions/money/account-store.ts');
const { JobLedger } = await import('../../contract/job-ledger.ts');

const CENT = 10_000;
const costs = (cost: number) => ({ estimated_cost: cost, max_cost: cost, cost });
const OWNER = { key: 'k', workspace: 'w' };
const KEY = keyAccount('k');

async function start() {
  const world = new AwsWorld();
  waitBy(world);
  const { dynamo } = world.startProcess();
  const ledger = await JobLedger.create(dynamo);
  const accounts = new AccountStore(dynamo, ledger.tables.accounts);
  const now = () => ledger.now;
  const ports = { accounts, book: new AccountBook(accounts, now), now };
  const estimate = (cents: number, change: Partial<Job> = {}) => {
    const estimate_micros = micros(cents * CENT);
    return estimateJob(aJob({ key_hash: 'k', workspace_id: 'w', estimate_micros, ...change }), ports);
  };
  const close = async (account: string) =>
    transact(dynamo, { account: accounts.changeClosing(account, { closed: true }) });
  const ask = (job: Job) => estimateJob(job, ports);
  return { world, ledger, estimate, ask, close };
}

interface Place {
  readonly cents: number;
  readonly is_byok: boolean;
}

/** A new job that may go to these places, one after another. */
function jobAt(places: readonly Place[], index: number): Job {
  const [first = aCandidate(), ...others] = places.map(({ cents, is_byok }) =>
    aCandidate({ estimateMicros: micros(cents * CENT), isByok: is_byok }),
  );
  const choice = { video: aJob().request, candidates: [first, ...others] as const };
  const id = `vid_${String(index).padStart(26, '0')}`;
  return aJob({ id, key_hash: 'k', workspace_id: 'w' }, { choice });
}

/** What it is charged at each place, in USD, if that place reports this cost, and if it reports none. */
function costsAtEveryPlace(job: Job, reported: number): number[] {
  const ends = [undefined, micros(reported)].map((costMicros) =>
    transition(
      { ...job, phase: 'copying' },
      { type: 'completed', outputs: [], keptDays: 30, ...defined({ costMicros }) },
      START,
      'step',
    ),
  );
  const here = ends.map(({ changes }) => (changes.cost_micros ?? 0) / 1_000_000);
  const next = nextPlace(job, true);
  return next.endpoint === undefined ? here : [...here, ...costsAtEveryPlace({ ...job, ...next }, reported)];
}

describe('the estimate of a job', () => {
  test('fits where nothing limits it, and stores nothing', async () => {
    const { world, estimate } = await start();
    const before = world.journal.calls.length;
    expect(await estimate(4)).toEqual({ ...costs(0.04), currency: 'USD', fits: true, remaining: null });
    expect(world.journal.calls.slice(before).map(({ operation }) => operation)).toEqual(['BatchGetItem']);
  });

  test('fits into what the tightest limit leaves, to the last bit', async () => {
    const { ledger, estimate } = await start();
    await ledger.limit(KEY, 'daily', 10 * CENT);
    await ledger.limit(workspaceAccount('w'), 'monthly', 8 * CENT);
    await ledger.accept(OWNER, 3 * CENT);
    expect(await estimate(5)).toMatchObject({ fits: true, remaining: 0.05 });
    expect(await estimate(6)).toMatchObject({ cost: 0.06, fits: false, remaining: 0.05 });
  });

  test('looks at what others have just held', async () => {
    const { ledger, estimate } = await start();
    await ledger.limit(KEY, 'daily', 10 * CENT);
    expect(await estimate(5)).toMatchObject({ remaining: 0.1 });
    await ledger.accept(OWNER, 3 * CENT);
    expect(await estimate(5)).toMatchObject({ remaining: 0.07 });
  });

  test('counts all credits, even those lent to others', async () => {
    const { ledger, estimate } = await start();
    await ledger.limit(CREDITS, 'lifetime', 100 * CENT);
    await ledger.accept({ key: 'k2', workspace: 'w2' }, 10 * CENT);
    await ledger.accept(OWNER, 20 * CENT);
    expect(await estimate(70)).toMatchObject({ fits: true, remaining: 0.7 });
    expect(await estimate(71)).toMatchObject({ fits: false, remaining: 0.7 });
    await ledger.limit(KEY, 'daily', 30 * CENT);
    expect(await estimate(11)).toMatchObject({ fits: false, remaining: 0.1 });
  });

  test('on the caller’s own provider key counts only where that counts', async () => {
    const { ledger, estimate } = await start();
    await ledger.limit(KEY, 'daily', CENT);
    expect(await estimate(4, { is_byok: true })).toEqual({
      ...costs(0.04),
      currency: 'USD',
      fits: true,
      remaining: null,
    });
    const place = { endpoint: 'e', provider: 'p', estimate_micros: micros(2 * CENT), is_byok: false };
    expect(await estimate(4, { is_byok: true, alternatives: [place] })).toMatchObject({
      fits: false,
      remaining: 0.01,
    });
  });

  test('says the price at the first place and the highest, and every job that fits is accepted and costs no more', async () => {
    const cents = fc.integer({ min: 1, max: 9 });
    const place = fc.record({ cents, is_byok: fc.boolean() });
    const limits = fc.record({ key: cents, workspace: cents, credits: fc.integer({ min: 1, max: 30 }) });
    const jobs = fc.array(fc.array(place, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(limits, jobs, fc.nat(9), async (limit, asked, reported) => {
        const { ledger, ask } = await start();
        await ledger.limit(KEY, 'daily', limit.key * CENT);
        await ledger.limit(workspaceAccount('w'), 'monthly', limit.workspace * CENT);
        await ledger.limit(CREDITS, 'lifetime', limit.credits * CENT);
        for (const [index, places] of asked.entries()) {
          const job = jobAt(places, index);
          const { fits, max_cost, estimated_cost } = await ask(job);
          expect(estimated_cost).toBe((places[0]?.cents ?? 0) / 100);
          expect(max_cost).toBe(Math.max(...places.map((each) => each.cents)) / 100);
          const accepting = ledger.accept(OWNER, job.estimate_micros, {}, job);
          if (fits) await accepting;
          else await expect(accepting).rejects.toThrow(PaymentRequired);
          expect(Math.max(...costsAtEveryPlace(job, reported * CENT))).toBeLessThanOrEqual(max_cost);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('is refused where a submit would be, other than for money', async () => {
    const { close, estimate } = await start();
    await close(KEY);
    await expect(estimate(4)).rejects.toThrow(Unauthenticated);
  });
});
