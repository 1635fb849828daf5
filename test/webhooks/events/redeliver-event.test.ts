import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import { redeliverEvent } from '../../../functions/webhooks/events/redeliver-event.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { expectGaps, WHOLE_SCHEDULE } from '../delivery/gaps.ts';
import { anEvent, START } from './event-fixture.ts';

const refused: Answer = { status: 500, aborts: false };
const row = async (world: DeliveryWorld) => (await world.events.find(anEvent().id))!;
const portsOf = (world: DeliveryWorld) => ({ ...world.ports, events: world.events });

describe('an event sent again', () => {
  test('has a complete new schedule, under the same id', async () => {
    const world = new DeliveryWorld(async () => refused);
    await world.add(anEvent());
    await world.run();
    const began = (world.now - START.getTime()) / 1000;
    expect(await redeliverEvent(await row(world), portsOf(world))).toMatchObject({ is_redelivery: true });
    await world.run();
    const again = world.sent.slice(11).map(({ id, second }) => ({ id, second: second - began }));
    expectGaps(again, WHOLE_SCHEDULE);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([anEvent().id]));
    expect(await row(world)).toMatchObject({ status: 'failed', attempts: 22 });
    expect((await row(world)).history.at(-1)?.attempt).toBe(11);
  });

  test('while it waits for its next attempt is sent now, and not again at that time', async () => {
    let answer = refused;
    const world = new DeliveryWorld(async () => answer);
    await world.add(anEvent());
    await world.run(36);
    expect(world.sent).toHaveLength(2);
    answer = { status: 204, aborts: false };
    await redeliverEvent(await row(world), portsOf(world));
    await world.run();
    expect(world.sent.map(({ second }) => second)).toEqual([0, 5, 36]);
    expect((await row(world)).status).toBe('delivered');
  });

  test('is a conflict while an attempt is under way, until its lease has expired', async () => {
    const world = new DeliveryWorld(async () => refused);
    await world.events.create(anEvent({ lease_until: world.now + 1 }));
    await expect(redeliverEvent(await row(world), portsOf(world))).rejects.toThrow(
      new Conflict('This event is being delivered; try again in a minute'),
    );
    expect(world.messages).toEqual([]);
    world.now += 1;
    await redeliverEvent(await row(world), portsOf(world));
    expect(world.messages).toHaveLength(1);
  });

  test('is pending even if its message cannot be sent now', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    await world.events.create(anEvent({ status: 'failed', attempts: 11 }));
    const error = new Error('SQS is out of reach');
    const queue = { send: () => Promise.reject(error) };
    const logged: unknown[] = [];
    const log = { error: (...said: unknown[]) => void logged.push(said) };
    const restarted = await redeliverEvent(await row(world), { ...portsOf(world), queue, log });
    expect(restarted).toMatchObject({ status: 'pending', is_redelivery: true });
    expect(logged).toEqual([['event not sent', { event_id: anEvent().id, error }]]);
    await world.run();
    expect(world.sent).toHaveLength(1);
  });

  test('whose message is lost is found by the sweeper', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    await world.events.create(anEvent({ status: 'failed', attempts: 11 }));
    await redeliverEvent(await row(world), portsOf(world));
    world.messages.pop();
    await world.run();
    expect(world.sent).toHaveLength(1);
  });

  test('is announced by the number of its next attempt', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    await world.events.create(anEvent({ status: 'failed', attempts: 11 }));
    await redeliverEvent(await row(world), portsOf(world));
    const message = { v: 1, event_id: anEvent().id, attempt: 12 };
    expect(world.messages).toEqual([{ message, dueAt: world.now }]);
  });

  test('is a conflict where it has no address, and stays as it was', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    const { callback_url: _, ...nowhere } = anEvent({ status: 'no_address' });
    await world.events.create(nowhere);
    await expect(redeliverEvent(nowhere, portsOf(world))).rejects.toThrow(
      new Conflict(
        'The event has no callback URL, and the default callback URL of its workspace is missing or disabled. Set the default callback URL first',
      ),
    );
    expect(await row(world)).toEqual(nowhere);
  });
});
