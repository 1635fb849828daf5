import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { EventList } from '../../../functions/webhooks/events/event-list.ts';
import { EVENTS_BY_WORKSPACE } from '../../../functions/webhooks/table.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { anEvent } from './event-fixture.ts';

test('an event that cannot be read is missing from the lists, and told of; the others are there', async () => {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id', {
    indexes: { [EVENTS_BY_WORKSPACE]: ['workspace_id', 'place'] },
  });
  for (const [id, change] of [
    ['msg_1', {}],
    ['msg_2', { status: 'lost' }],
    ['msg_3', {}],
  ] as const) {
    const Item = { ...anEvent(), id, place: `2026-01-01T00:00:00.000Z~${id}`, ...change };
    await dynamo.send(new PutCommand({ TableName: table, Item }));
  }
  const told: unknown[] = [];
  const list = new EventList(dynamo, table, (id, fields) => told.push([id, fields]));
  const { workspace_id: workspace } = anEvent();
  const ids = async (events: AsyncGenerator<{ id: string }>) =>
    (await Array.fromAsync(events)).map(({ id }) => id);
  expect(await ids(list.before(workspace))).toEqual(['msg_3', 'msg_1']);
  expect(await ids(list.since(workspace, new Date('2026-01-01T00:00:00Z')))).toEqual(['msg_1', 'msg_3']);
  expect(told).toEqual([
    ['msg_2', ['status']],
    ['msg_2', ['status']],
  ]);
});
