import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { StreakStore } from '../../../functions/webhooks/delivery/streak-store.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { describeStreakStore } from './streak-store-suite.ts';

const { dynamo } = new AwsWorld().startProcess();
describeStreakStore(() => dynamo);

test('a streak is kept for 30 days after its last failure', async () => {
  const TableName = await createTable(dynamo, 'id');
  const streaks = new StreakStore(dynamo, TableName);
  await streaks.extend('ws-1', 'one.example', new Date(1_000));
  await streaks.extend('ws-1', 'one.example', new Date(5_999));
  const { Item } = await dynamo.send(
    new GetCommand({ TableName, Key: { id: 'STREAK#ws-1#one.example' }, ConsistentRead: true }),
  );
  expect(Item).toMatchObject({ failures: 2, failing_since: 1_000, expires_at: 5 + 30 * 86_400 });
});
