import { expect, jest, test } from '@jest/globals';
import { CREDITS } from '../../functions/money/account.ts';
import { AwsWorld } from '../engines/aws-world.ts';
import { waitBy } from '../engines/virtual-waits.ts';
import { runLoad } from './submit-load.ts';

jest.setTimeout(120_000);

const CENT = 10_000;

waitBy(new AwsWorld());
const { JobLedger, newOwner } = await import('../contract/job-ledger.ts');

test('of many who ask for the last credits, each gets some or hears that there are none', async () => {
  const world = new AwsWorld({ transactionMilliseconds: 10 });
  waitBy(world);
  const ledger = await JobLedger.create(world.startProcess().dynamo);
  await ledger.limit(CREDITS, 'lifetime', 100 * CENT);
  const instances = Array.from({ length: 8 }, () => ledger.beside(world.startProcess().dynamo));
  const { submits, accepted, unaffordable, refused, unended } = await runLoad(world, instances, {
    submitsPerSecond: 20,
    seconds: 5,
    owners: Array.from({ length: 5 }, newOwner),
    micros: 4 * CENT,
    jobMilliseconds: 3_000,
  });
  expect([refused, unended]).toEqual([[], []]);
  expect(accepted).toBeGreaterThanOrEqual(25);
  expect(unaffordable).toBeGreaterThan(10);
  expect(accepted + unaffordable).toBe(submits);
});
