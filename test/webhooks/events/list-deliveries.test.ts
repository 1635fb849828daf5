import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type AskedDeliveries,
  EventList,
  listDeliveries,
} from '../../../functions/webhooks/events/event-list.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { anEvent } from './event-fixture.ts';

describe('the deliveries of a workspace', () => {
  const event = anEvent();
  const { id, job_id = '', place = '', workspace_id } = event;
  let idsOf: (workspaceId: string, asked: Omit<AskedDeliveries, 'limit'>) => Promise<string[]>;

  beforeAll(async () => {
    const world = new AwsWorld();
    const { dynamo } = world.startProcess();
    const table = new DeployedStage(world).name('Webhooks-Events');
    const events = new EventStore(dynamo, table);
    const list = new EventList(dynamo, table, () => undefined);
    await events.create(event);
    idsOf = async (workspaceId, asked) => {
      const { rows } = await listDeliveries(workspaceId, { limit: 20, ...asked }, { list, events });
      return rows.map((row) => row.id);
    };
  });

  test.each<[string, Omit<AskedDeliveries, 'limit'>]>([
    ['all', {}],
    ['of its job', { job_id }],
    ['of its status', { job_id, status: 'pending' }],
    ['before a later place', { job_id, cursor: `${place}~` }],
  ])('has an event among those %s', async (_, asked) => {
    expect(await idsOf(workspace_id, asked)).toEqual([id]);
  });

  test.each<[string, string, Omit<AskedDeliveries, 'limit'>]>([
    ['of another workspace', 'workspace-2', { job_id }],
    ['of another job', workspace_id, { job_id: `vid_${'1'.repeat(26)}` }],
    ['of an id that only ends like the job’s', workspace_id, { job_id: job_id.replace('vid', 'vod') }],
    ['of a malformed id', workspace_id, { job_id: 'x'.repeat(3000) }],
    ['of another status', workspace_id, { job_id, status: 'delivered' }],
    ['before its own place', workspace_id, { job_id, cursor: place }],
  ])('has it not among those %s', async (_, workspaceId, asked) => {
    expect(await idsOf(workspaceId, asked)).toEqual([]);
  });
});
