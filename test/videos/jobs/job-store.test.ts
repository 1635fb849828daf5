import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { JOBS_BY_WORKSPACE } from '../../../functions/videos/table.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { aJob } from './job-fixture.ts';

const idOf = (i: number) => `vid_${String(i).padStart(26, '0')}`;

/** Of five jobs the ones in the middle and at the end cannot be read. */
async function storeWithWrecks(told: unknown[]) {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id', { indexes: { [JOBS_BY_WORKSPACE]: ['workspace_id', 'id'] } });
  const rows: Record<string, unknown>[] = [0, 1, 2, 3, 4].map((i) => aJob({ id: idOf(i) }));
  Object.assign(rows[2]!, { phase: 'paused' });
  delete rows[4]!.model;
  for (const Item of rows) await dynamo.send(new PutCommand({ TableName: table, Item }));
  return new JobStore(dynamo, table, (id, fields) => told.push([id, fields]));
}

const all = { status: undefined, before: undefined };

test('a list leaves out the rows that cannot be read, and tells of them', async () => {
  const told: unknown[] = [];
  const store = await storeWithWrecks(told);
  const found = await store.list('ws-1', all, 10);
  expect(found.map(({ id }) => id)).toEqual([3, 1, 0].map(idOf));
  expect(told).toEqual([
    [idOf(4), ['model']],
    [idOf(2), ['phase']],
  ]);
});

test('the rows that are left out do not count against its limit', async () => {
  const store = await storeWithWrecks([]);
  const page = await store.list('ws-1', all, 2);
  expect(page.map(({ id }) => id)).toEqual([3, 1].map(idOf));
  const next = await store.list('ws-1', { ...all, before: page.at(-1)!.id }, 2);
  expect(next.map(({ id }) => id)).toEqual([0].map(idOf));
});
