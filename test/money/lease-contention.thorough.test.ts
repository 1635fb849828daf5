import { expect, test } from '@jest/globals';
import { PaymentRequired } from '../../functions/http/errors.ts';
import { CREDITS } from '../../functions/money/account.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld } from '../engines/index.ts';
import { runLoad } from './submit-load.ts';

// The test runs thousands of jobs, and the machine may be busy.
const CENT = 10_000;

waitBy(new AwsWorld());
const { JobLedger, newOwner } = await import('../contract/job-ledger.ts');

/** Runs the load on an engine whose transactions hold their rows for 10 ms. */
async function run(
  credits: number,
  { rate, seconds, workspaces }: Record<'rate' | 'seconds' | 'workspaces', number>,
) {
  const world = new AwsWorld({ transactionMilliseconds: 10 });
  waitBy(world);
  const ledger = await JobLedger.create(world.startProcess().dynamo);
  await ledger.limit(CREDITS, 'lifetime', credits);
  const instances = Array.from({ length: 8 }, () =>
    ledger.beside(world.startProcess().dynamo, world.clock.now),
  );
  const result = await runLoad(world, instances, {
    submitsPerSecond: rate,
    seconds,
    owners: Array.from({ length: workspaces }, newOwner),
    micros: 4 * CENT,
    jobMilliseconds: 3_000,
  });
  return { ...result, ledger };
}

test('of two hundred submits a second over twenty workspaces, contention refuses less than one in a thousand', async () => {
  const load = { rate: 200, seconds: 10, workspaces: 20 };
  const { submits, accepted, unaffordable, refused, unended, ledger } = await run(20_000 * CENT, load);
  expect(submits).toBeGreaterThan(1_800);
  expect(refused.length / submits).toBeLessThan(0.001);
  expect([unaffordable, unended]).toEqual([0, []]);
  expect(accepted + refused.length).toBe(submits);
  expect(await ledger.credits()).toMatchObject({ reserved: 0, open_jobs: 0 });
});

test('after contention for the last credits, the rest can be spent to the last micro-dollar, but not more', async () => {
  const { submits, accepted, unended, ledger } = await run(100 * CENT, {
    rate: 20,
    seconds: 5,
    workspaces: 5,
  });
  expect(accepted).toBeLessThan(submits);
  expect(unended).toEqual([]);
  const { limits, lifetime } = await ledger.credits();
  const left = (limits.lifetime?.micros ?? 0) - (lifetime?.spent ?? 0);
  expect(left).toBeGreaterThanOrEqual(0);
  await ledger.accept(newOwner(), left, {}, { id: 'vid_last' });
  await expect(ledger.accept(newOwner(), 1, {}, { id: 'vid_late' })).rejects.toThrow(PaymentRequired);
  const { pool, leases } = await ledger.leases.rows();
  for (const row of [pool, ...leases]) {
    expect(row.lifetime?.committed ?? 0).toBeLessThanOrEqual(row.limits.lifetime?.micros ?? 0);
  }
});
