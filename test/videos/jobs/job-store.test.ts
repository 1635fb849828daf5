import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { JOBS_BY_WORKSPACE } from '../../../functions/videos/table.ts';
import { createTable } from '../../contract/create-table.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { DeployedStage } from '../../engines/deployed/deployed-stage.ts';
import { aJob } from './job-fixture.ts';

const idOf = (i: number) => `vid_${String(i).padStart(26, '0')}`;

/** A store with five jobs. The third and the last one cannot be read. */
async function storeWithWrecks(told: unknown[]) {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id', { indexes: { [JOBS_BY_WORKSPACE]: ['workspace_id', 'id'] } });
  const rows: Record<string, unknown>[] = [0, 1, 2, 3, 4].map((i) => aJob({ id: idOf(i) }));
  Object.assign(rows[2]!, { phase: 'paused' });
  delete rows[4]!.model;
  for (const Item of rows) await dynamo.send(new PutCommand({ TableName: table, Item }));
  return new JobStore(dynamo, table, (id, fields) => told.push([id, fields]));
}

test('a list leaves out unreadable rows, and logs them', async () => {
  const told: unknown[] = [];
  const store = await storeWithWrecks(told);
  const { rows } = await store.list('ws-1', {}, 10);
  expect(rows.map(({ id }) => id)).toEqual([3, 1, 0].map(idOf));
  expect(told).toEqual([
    [idOf(4), ['model']],
    [idOf(2), ['phase']],
  ]);
});

test('a page with such rows is shorter, and its cursor skips them', async () => {
  const store = await storeWithWrecks([]);
  const found: string[] = [];
  let before: string | undefined;
  do {
    const { rows, cursor } = await store.list('ws-1', { before }, 2);
    found.push(...rows.map(({ id }) => id));
    before = cursor ?? undefined;
  } while (before !== undefined);
  expect(found).toEqual([3, 1, 0].map(idOf));
});

test('a list by a status leaves out a job that has gone on since the index was written', async () => {
  const world = new AwsWorld({ lag: () => 1_000 });
  const table = new DeployedStage(world).name('Videos-Jobs');
  const { dynamo } = world.startProcess();
  const store = new JobStore(dynamo, table, () => undefined);
  const write = async (status: 'pending' | 'in_progress') => {
    for (const { Put } of store.insertion(aJob({ status })))
      await dynamo.send(new PutCommand({ TableName: table, Item: Put.Item }));
  };
  const listed = async (status?: 'pending' | 'in_progress') =>
    (await store.list('ws-1', { status }, 10)).rows.map((job) => job.status);
  await write('pending');
  await world.clock.wait(2_000);
  expect(await listed('pending')).toEqual(['pending']);
  await write('in_progress');
  expect([await listed('pending'), await listed()]).toEqual([[], ['in_progress']]);
  await world.clock.wait(2_000);
  expect(await listed('in_progress')).toEqual(['in_progress']);
});
