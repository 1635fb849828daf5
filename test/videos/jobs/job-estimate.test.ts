import { describe, expect, test } from '@jest/globals';
import { Unauthenticated } from '../../../functions/http/errors.ts';
import { CREDITS, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountBook } from '../../../functions/money/account-book.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { waitBy } from '../../aws/virtual-waits.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob } from './job-fixture.ts';

waitBy(new AwsWorld());
const { estimateJob } = await import('../../../functions/videos/jobs/job-estimate.ts');
const { transact } = await import('../../../functions/aws/dynamo-writes.ts');
const { AccountStore } = await import('../../../functions/money/account-store.ts');
const { JobLedger } = await import('../../contract/job-ledger.ts');

const CENT = 10_000;
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
  return { world, ledger, estimate, close };
}

describe('the estimate of a job', () => {
  test('fits where nothing limits it, and stores nothing', async () => {
    const { world, estimate } = await start();
    const before = world.journal.calls.length;
    expect(await estimate(4)).toEqual({ cost: 0.04, currency: 'USD', fits: true, remaining: null });
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
      cost: 0.04,
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

  test('is refused where a submit would be, other than for money', async () => {
    const { close, estimate } = await start();
    await close(KEY);
    await expect(estimate(4)).rejects.toThrow(Unauthenticated);
  });
});
