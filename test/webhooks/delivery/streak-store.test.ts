import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { StreakStore } from '../../../functions/webhooks/delivery/host-health.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';

test('a streak is kept for 30 days after its last failure', async () => {
  const { dynamo } = new AwsWorld().startProcess();
  const TableName = await createTable(dynamo, 'id');
  const streaks = new StreakStore(dynamo, TableName);
  await streaks.extend('ws-1', 'one.example', new Date(1_000));
  await streaks.extend('ws-1', 'one.example', new Date(6_000));
  const { Item } = await dynamo.send(
    new GetCommand({ TableName, Key: { id: 'STREAK#ws-1#one.example' }, ConsistentRead: true }),
  );
  expect(Item).toMatchObject({ failures: 2, failing_since: 1_000, expires_at: 6 + 30 * 86_400 });
});

describe('the eleventh failure in a row', () => {
  /** What comes before the call that drops the oldest one. */
  async function startWith(before: (TableName: string) => Promise<unknown>) {
    const world = new AwsWorld();
    const client = world.startProcess().dynamo;
    const TableName = await createTable(client, 'id');
    const streaks = new StreakStore(client, TableName);
    const extend = () => streaks.extend('ws-1', 'one.example', new Date(0));
    for (let i = 0; i < 10; i++) await extend();
    const calls = world.journal.count;
    let updates = 0;
    client.middlewareStack.add(
      (next) => async (input) => {
        if (++updates === 2) await before(TableName);
        return next(input);
      },
      { step: 'initialize' },
    );
    return { world, calls, extend, client, streaks };
  }

  test('costs a call more, and none before does', async () => {
    const { world, calls, extend } = await startWith(async () => undefined);
    const created = world.journal.calls.filter(({ operation }) => operation === 'UpdateItem');
    expect(created).toHaveLength(10);
    await extend();
    expect(world.journal.count - calls).toBe(2);
  });

  test('counts where another worker has dropped the oldest one', async () => {
    const started = await startWith((TableName) =>
      started.client.send(
        new UpdateCommand({
          TableName,
          Key: { id: 'STREAK#ws-1#one.example' },
          UpdateExpression: 'REMOVE latest[0]',
        }),
      ),
    );
    expect(await started.extend()).toMatchObject({ failures: 11 });
    expect((await started.streaks.find('ws-1', 'one.example'))?.latest).toHaveLength(10);
  });

  test('fails where the table does', async () => {
    const failure = new Error('the table is away');
    const { extend } = await startWith(() => Promise.reject(failure));
    await expect(extend()).rejects.toBe(failure);
  });
});
