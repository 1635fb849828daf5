import { beforeEach, expect, test } from '@jest/globals';
import { broadcastEnd } from '../../functions/broadcast/trace.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';
import { END, endedEvent } from './ended-event.ts';

/** The outbox, in which the workspace `ws-1` wants traces. */
function startOutbox() {
  const world = new AwsWorld({ start: END });
  const events = new EventStore(
    world.startProcess().dynamo,
    new DeployedStage(world).name('Webhooks-Events'),
  );
  const sent: EventMessage[] = [];
  const ports = {
    isWanted: async (workspaceId: string) => workspaceId === 'ws-1',
    events,
    queue: { send: async (message: EventMessage) => void sent.push(message) },
    now: world.clock.now,
  };
  return { world, events, sent, ports };
}

let it: ReturnType<typeof startOutbox>;
beforeEach(() => {
  it = startOutbox();
});

const ended = { ...endedEvent(), id: 'msg_01jg000000000000000000000a' };
const TRACE_ID = 'trc_01jg000000000000000000000a';
const MESSAGE = { v: 1, event_id: TRACE_ID, attempt: 1 };

test('the trace of a job’s end is a row of its own, in no list of deliveries', async () => {
  await broadcastEnd(ended, it.ports);
  const trace = await it.events.find(TRACE_ID);
  expect(trace).toMatchObject({ workspace_id: 'ws-1', type: 'trace', body: ended.body, status: 'pending' });
  for (const name of ['place', 'job_id']) expect(trace).not.toHaveProperty(name);
  expect(it.sent).toEqual([MESSAGE]);
});

test('a trace that is broadcast again stays as it is, and gets its message once more', async () => {
  await broadcastEnd(ended, it.ports);
  const first = await it.events.find(TRACE_ID);
  await it.world.clock.wait(1_000);
  await broadcastEnd({ ...ended, body: 'other' }, it.ports);
  expect(await it.events.find(TRACE_ID)).toEqual(first);
  expect(it.sent).toEqual([MESSAGE, MESSAGE]);
});

test('the new end of a released job has a trace of its own beside that of the old one', async () => {
  await broadcastEnd(ended, it.ports);
  await broadcastEnd({ ...ended, webhook_id: 'msg_01jg111111111111111111111a', body: 'new' }, it.ports);
  const [old, last] = await Promise.all(
    [TRACE_ID, 'trc_01jg111111111111111111111a'].map((id) => it.events.find(id)),
  );
  expect([old?.body, last?.body]).toEqual([ended.body, 'new']);
});

test.each([
  ['a workspace that wants none', { workspace_id: 'ws-2' }],
  ['a test event', { job_id: undefined }],
])('there is no trace of %s', async (_, change) => {
  const { job_id, ...rest } = { ...ended, ...change };
  await broadcastEnd(job_id === undefined ? rest : { ...rest, job_id }, it.ports);
  expect([await it.events.find(TRACE_ID), it.sent]).toEqual([undefined, []]);
});
