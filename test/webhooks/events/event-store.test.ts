import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import {
  bodySchema,
  expiryAfter,
  newEvent,
  packedBody,
  type WebhookEvent,
} from '../../../functions/webhooks/events/event.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LEASE = NOW.getTime() + 30_000;
/** `{}`, as a row has it. */
const PACKED = expect.objectContaining({ byteLength: 4 });
const record = { at: NOW.toISOString(), attempt: 1, outcome: '2xx', milliseconds: 1 };

async function start() {
  const world = new AwsWorld({ start: NOW, lag: () => 60_000 });
  const { dynamo } = world.startProcess();
  const TableName = new DeployedStage(world).name('Webhooks-Events');
  const store = new EventStore(dynamo, TableName);
  const content = {
    id: 'msg_1',
    workspace_id: 'w',
    job_id: 'vid_1',
    type: 'video.generation.completed',
    body: '{}',
  };
  const event = newEvent(content, NOW);
  await store.create(event);
  const row = async (id = event.id): Promise<Record<string, unknown>> => {
    const read = new GetCommand({ TableName, Key: { id }, ConsistentRead: true });
    return (await dynamo.send(read)).Item ?? {};
  };
  const markLost = (...marked: Parameters<EventStore['markLost']>) =>
    dynamo.send(new TransactWriteCommand({ TransactItems: [store.markLost(...marked)] }));
  return { store, event, row, markLost };
}

describe('the lease of an attempt', () => {
  test('goes to one of two workers', async () => {
    const { store, event } = await start();
    const claims = await Promise.all([store.claim(event, LEASE, 'one'), store.claim(event, LEASE, 'other')]);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test('ends in time: its former holder cannot record anything', async () => {
    const { store, event } = await start();
    const [first, second] = [await store.claim(event, LEASE, 'one'), await store.find(event.id)];
    const later = await store.claim(second!, LEASE + 60_000, 'other');
    await store.record(first!, record, { status: 'failed' });
    expect(await store.find(event.id)).toMatchObject({ status: 'pending', attempts: 0, history: [] });
    await store.record(later!, record, { status: 'delivered' });
    expect(await store.find(event.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('does not exist for an ended event', async () => {
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

test('an event is created once', async () => {
  const { store, event, row } = await start();
  expect(await row()).toEqual({ ...event, body: PACKED, active: expect.any(String) });
  await expect(store.create({ ...event, body: 'other' })).rejects.toThrow();
  expect(await store.find(event.id)).toEqual({ ...event, active: undefined });
  expect(await store.find('msg_2')).toBeUndefined();
});

describe('a claim whose answer was lost', () => {
  test('is known by its token when it is repeated', async () => {
    const { store, event } = await start();
    const claimed = { ...event, lease_until: LEASE };
    expect(await store.claim(event, LEASE, 'one')).toEqual(claimed);
    expect(await store.claim(event, LEASE, 'one')).toEqual(claimed);
    expect(await store.claim(event, LEASE, 'other')).toBeUndefined();
  });
});

describe('an event that waits for a place', () => {
  test('is due later, has waited once more, and is swept from the start', async () => {
    const { store, event, row } = await start();
    expect(await store.postpone(event, LEASE, 'one')).toBe(true);
    expect(await row()).toMatchObject({ due_at: LEASE, waits: 1, sweeps: 0, token: 'one' });
    const waiting = { ...event, due_at: LEASE };
    expect(await store.postpone(waiting, LEASE + 1, 'two')).toBe(true);
    expect(await row()).toMatchObject({ due_at: LEASE + 1, waits: 2 });
  });

  test('is put off by one of two, and by that one again when its answer was lost', async () => {
    const { store, event, row } = await start();
    expect(await store.postpone(event, LEASE, 'one')).toBe(true);
    expect(await store.postpone(event, LEASE, 'one')).toBe(true);
    expect(await store.postpone(event, LEASE, 'other')).toBe(false);
    expect((await row()).waits).toBe(1);
  });

  test('is the one that was read, and has not ended', async () => {
    const { store, event } = await start();
    expect(await store.postpone({ ...event, attempts: 1 }, LEASE, 'one')).toBe(false);
    await store.closeUndeliverable(event);
    expect(await store.postpone(event, LEASE, 'other')).toBe(false);
  });
});

describe('the record of an attempt', () => {
  const refusedThen = { status: 'pending', dueAt: LEASE, refused: true } as const;

  test('that is to be repeated frees the lease, and counts attempts and refusals', async () => {
    const { store, event, row } = await start();
    await store.postpone(event, NOW.getTime() + 1, 'one');
    const claimed = await store.claim((await store.find(event.id))!, LEASE, 'two');
    await store.record(claimed!, record, refusedThen);
    const { active, ...shown } = await row();
    expect(active).toEqual(expect.any(String));
    expect(shown).toEqual({
      ...event,
      body: PACKED,
      attempts: 1,
      refusals: 1,
      waits: 0,
      sweeps: 0,
      due_at: LEASE,
      history: [record],
      token: 'two',
    });
    await store.record((await store.find(event.id))!, record, { ...refusedThen, refused: false });
    expect(await row()).toMatchObject({ attempts: 2, refusals: 1, history: [record, record] });
  });

  test('that ends the event takes it from the sweeper', async () => {
    const { store, event, row } = await start();
    await store.record(event, record, { status: 'delivered' });
    const ended = await row();
    expect(ended).toMatchObject({ status: 'delivered', attempts: 1, history: [record], lease_until: 0 });
    for (const name of ['active', 'lost_in']) expect(ended).not.toHaveProperty(name);
  });

  test.each<[string, (store: EventStore, event: WebhookEvent) => Promise<void>, object]>([
    [
      'failed',
      (store, event) => store.record(event, record, { status: 'failed' }),
      { status: 'failed', attempts: 1, history: [record] },
    ],
    [
      'had no address',
      (store, event) => store.closeUndeliverable(event),
      { status: 'no_address', attempts: 0, history: [] },
    ],
  ])('of a job’s event that %s marks it as lost, that of a test does not', async (_, end, expected) => {
    const { store, event, row } = await start();
    await end(store, event);
    expect(await row()).toMatchObject({ ...expected, lost_in: 'w' });
    expect(await row()).not.toHaveProperty('active');
    const other = await start();
    const { job_id: _job, ...probe } = other.event;
    await end(other.store, probe);
    const ended = await other.row();
    expect(ended).toMatchObject(expected);
    for (const name of ['active', 'lost_in']) expect(ended).not.toHaveProperty(name);
  });
});

describe('an event begun again', () => {
  const LATER = new Date(LEASE);

  test('is due now, in a chain of its own, and neither lost nor in quarantine', async () => {
    const { store, event, row } = await start();
    await store.record(event, record, { status: 'failed' });
    const failed = (await store.find(event.id))!;
    const changed = {
      status: 'pending',
      attempts: 1,
      chain_start: 1,
      is_redelivery: true,
      refusals: 0,
      waits: 0,
      sweeps: 0,
      lease_until: 0,
      due_at: LATER.getTime(),
      expires_at: expiryAfter(LATER),
    };
    expect(await store.restart(failed, LATER)).toEqual({ ...failed, ...changed });
    expect(await row()).toEqual({
      ...event,
      body: PACKED,
      ...changed,
      history: [record],
      active: expect.any(String),
    });
  });

  test('is left alone while an attempt is under way, and where it has moved', async () => {
    const { store, event } = await start();
    const claimed = await store.claim(event, LEASE, 'one');
    expect(await store.restart(event, new Date(LEASE - 1))).toBeUndefined();
    expect(await store.restart({ ...claimed!, attempts: 1 }, LATER)).toBeUndefined();
    expect(await store.restart(event, LATER)).toMatchObject({ chain_start: 0, is_redelivery: true });
    // Whoever held the lease has lost it.
    await store.record(claimed!, record, { status: 'delivered' });
    expect((await store.find(event.id))?.status).toBe('pending');
  });

  test('is not moved by whoever still has the chain before it', async () => {
    const { store, event, row } = await start();
    await store.record(event, record, { status: 'pending', dueAt: LEASE, refused: false });
    const older = (await store.find(event.id))!;
    const restarted = (await store.restart(older, LATER))!;
    const before = await row();
    expect(await store.claim(older, LEASE + 1, 'late')).toBeUndefined();
    await store.record(older, record, { status: 'failed' });
    await store.closeUndeliverable(older);
    expect(await row()).toEqual(before);
    expect(await store.claim(restarted, LEASE + 1, 'own')).toBeDefined();
  });

  test('counts refusals and waits of its own chain only', async () => {
    const { store, event, row } = await start();
    await store.record(event, record, { status: 'pending', dueAt: LEASE, refused: true });
    const refused = (await store.find(event.id))!;
    await store.postpone(refused, LEASE + 1, 'one');
    expect(await row()).toMatchObject({ refusals: 1, waits: 1 });
    await store.restart(refused, LATER);
    expect(await row()).toMatchObject({ refusals: 0, waits: 0 });
  });
});

test('a lost event is marked once, and only as it was read', async () => {
  const { event, row, markLost } = await start();
  await expect(markLost(event.id, 'w', 'failed')).rejects.toThrow();
  await markLost(event.id, 'w', 'pending');
  expect((await row()).lost_in).toBe('w');
  await expect(markLost(event.id, 'w', 'pending')).rejects.toThrow();
});

describe('the body of an event', () => {
  const body = JSON.stringify({ id: 'vid_1', url: 'https://api.example/vid_1', said: 'Füchsin 🦊' }).repeat(
    9,
  );

  test('is stored packed, and read byte for byte', async () => {
    const { store, event, row } = await start();
    await store.create({ ...event, id: 'msg_2', body });
    expect((await store.find('msg_2'))?.body).toBe(body);
    const { body: stored } = await row('msg_2');
    expect(Object(stored).byteLength).toBeLessThan(body.length / 4);
  });

  test('is read in rows of older versions, which have it as it is', () => {
    const read = (given: unknown) => v.safeParse(bodySchema, given);
    expect(read(body).output).toBe(body);
    expect([read(Buffer.from('damaged')).success, read(packedBody('').subarray(0, 1)).success]).toEqual([
      false,
      false,
    ]);
  });

  test('takes no more memory than a row may have', () => {
    expect(v.is(bodySchema, packedBody('a'.repeat(1024 * 1024)))).toBe(true);
    expect(v.is(bodySchema, packedBody('a'.repeat(1024 * 1024 + 1)))).toBe(false);
  });
});
