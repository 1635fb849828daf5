import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { type NamedItems, refusedBy } from '../../functions/aws/dynamo-writes.ts';
import { CREDITS } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import type { Grant } from '../../functions/money/grant-credits.ts';
import { MOST_MICROS, micros, minus } from '../../functions/money/micros.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { createTable, refusal } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const GRANT = { micros: micros(5), note: null, grantedBy: 'key' };

waitBy(new AwsWorld());
const { grantCredits } = await import('../../functions/money/grant-credits.ts');

async function start() {
  const world = new AwsWorld();
  waitBy(world);
  const { dynamo } = world.startProcess();
  const table = await createTable(dynamo, 'account');
  const accounts = new AccountStore(dynamo, table);
  let ids = 0;
  const ports = { client: dynamo, accounts, now: world.clock.now, newId: () => String(++ids) };
  const grant = (also: NamedItems = {}, change: Partial<Grant> = {}) =>
    grantCredits({ ...GRANT, ...change }, () => also, ports);
  const kept = async () => {
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
    const { limits } = await accounts.readOne(CREDITS);
    const grants = Items.filter(({ account }) => account.startsWith('grant#'));
    return { total: limits.lifetime?.micros, grants: grants.length };
  };
  const once = {
    Put: {
      TableName: table,
      Item: { account: 'once' },
      ConditionExpression: 'attribute_not_exists(account)',
    },
  };
  return { grant, kept, once };
}

test('grants at once are all added, each with a record of its own', async () => {
  const { grant, kept } = await start();
  await Promise.all([grant(), grant(), grant()]);
  expect(await kept()).toEqual({ total: 15, grants: 3 });
});

test('items of the same write are written with it, and can make it fail', async () => {
  const { grant, kept, once } = await start();
  await grant({ once });
  const error = await refusal(grant({ once }));
  expect(refusedBy(error, 'once')).toBe(true);
  expect(await kept()).toEqual({ total: 5, grants: 1 });
});

test('all grants together stay below the largest amount', async () => {
  const { grant, kept } = await start();
  await grant({}, { micros: minus(MOST_MICROS, GRANT.micros) });
  await grant();
  const refused = grant({}, { micros: micros(1) });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    message: 'amount_usd: must not raise the total of all grants above $1,000,000,000.00',
  });
  expect(await kept()).toEqual({ total: MOST_MICROS, grants: 2 });
});
