import { describe, expect, test } from '@jest/globals';
import { newEvent } from '../../../functions/webhooks/events/event.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { AwsWorld } from '../../engines/aws-world.ts';
import { DeployedStage } from '../../engines/deployed/deployed-stage.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LEASE = NOW.getTime() + 30_000;
const record = { at: NOW.toISOString(), attempt: 1, outcome: '2xx', milliseconds: 1 };

async function start() {
  const world = new AwsWorld({ start: NOW });
  const store = new EventStore(world.startProcess().dynamo, new DeployedStage(world).name('Webhooks-Events'));
  const content = {
    id: 'msg_1',
    workspace_id: 'w',
    job_id: 'vid_1',
    type: 'video.generation.completed',
    body: '{}',
  };
  const event = newEvent(content, NOW);
  await store.create(event);
  return { store, event };
}

describe('the right to an attempt', () => {
  test('has one of two workers', async () => {
    const { store, event } = await start();
    const claims = await Promise.all([store.claim(event, LEASE, 'one'), store.claim(event, LEASE, 'other')]);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test('is lost with the lease: whoever had it records nothing any more', async () => {
    const { store, event } = await start();
    const [first, second] = [await store.claim(event, LEASE, 'one'), await store.find(event.id)];
    const later = await store.claim(second!, LEASE + 60_000, 'other');
    await store.record(first!, record, { status: 'failed' });
    expect(await store.find(event.id)).toMatchObject({ status: 'pending', attempts: 0, history: [] });
    await store.record(later!, record, { status: 'delivered' });
    expect(await store.find(event.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('is none to what has ended', async () => {
    const { store, event } = await start();
    const claimed = await store.claim(event, LEASE, 'one');
    await store.record(claimed!, record, { status: 'delivered' });
    expect(await store.claim(claimed!, LEASE, 'other')).toBeUndefined();
    const ended = await store.find(event.id);
    expect(await store.claim(ended!, LEASE, 'other')).toBeUndefined();
    for (const each of [claimed!, ended!]) await store.record(each, record, { status: 'failed' });
    expect(await store.find(event.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('is for the attempt that was read, and for no later one', async () => {
    const { store, event } = await start();
    const claimed = await store.claim(event, LEASE, 'one');
    await store.record(claimed!, record, { status: 'pending', dueAt: LEASE, refused: false });
    expect(await store.claim(event, LEASE, 'late')).toBeUndefined();
    const next = await store.find(event.id);
    expect(await store.claim(next!, LEASE, 'other')).toMatchObject({ attempts: 1 });
  });
});
