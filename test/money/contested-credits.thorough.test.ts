import { expect, test } from '@jest/globals';
import { CREDITS } from '../../functions/money/account.ts';
import { unused } from '../../functions/money/lease.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld } from '../engines/index.ts';
import { runLoad } from './submit-load.ts';

const CENT = 10_000;

waitBy(new AwsWorld());
const { JobLedger, newOwner } = await import('../contract/job-ledger.ts');

test.each([
  { submitsPerSecond: 20, workspaces: 5, seconds: 5, cents: 100 },
  { submitsPerSecond: 50, workspaces: 20, seconds: 3, cents: 240 },
  { submitsPerSecond: 200, workspaces: 20, seconds: 1, cents: 300 },
])(
  'of many submits for the last credits, each gets some or is told that there are none: %o',
  async ({ workspaces, cents, ...load }) => {
    const world = new AwsWorld({ transactionMilliseconds: 10 });
    waitBy(world);
    const ledger = await JobLedger.create(world.startProcess().dynamo);
    await ledger.limit(CREDITS, 'lifetime', cents * CENT);
    const instances = Array.from({ length: 8 }, () =>
      ledger.beside(world.startProcess().dynamo, world.clock.now),
    );
    const { submits, accepted, unaffordable, refused, unended } = await runLoad(world, instances, {
      ...load,
      owners: Array.from({ length: workspaces }, newOwner),
      micros: 4 * CENT,
      jobMilliseconds: 3_000,
    });
    expect([refused, unended]).toEqual([[], []]);
    expect(accepted).toBeGreaterThanOrEqual(cents / 4);
    expect(unaffordable).toBeGreaterThan(10);
    expect(accepted + unaffordable).toBe(submits);
    const { pool, leases } = await ledger.leases.rows();
    for (const row of [pool, ...leases]) expect(unused(row)).toBeGreaterThanOrEqual(0);
  },
);
