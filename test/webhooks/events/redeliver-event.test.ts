import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import { type RedeliverPorts, redeliverEvent } from '../../../functions/webhooks/events/redeliver-event.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { expectGaps, WHOLE_SCHEDULE } from '../delivery/gaps.ts';
import { anEvent, START } from './event-fixture.ts';

const refused: Answer = { status: 500, aborts: false };
const row = (world: DeliveryWorld) => world.events.rows.get(anEvent().id)!;
const portsOf = (world: DeliveryWorld): RedeliverPorts => ({ ...world.ports, events: world.events.port });

describe('an event sent again', () => {
  test('has a complete new schedule, under the same id', async () => {
    const world = new DeliveryWorld(async () => refused);
    world.add(anEvent());
    await world.run();
    const began = (world.now - START.getTime()) / 1000;
    expect(await redeliverEvent(row(world), portsOf(world))).toMatchObject({ is_redelivery: true });
    await world.run();
    const again = world.sent.slice(11).map(({ id, second }) => ({ id, second: second - began }));
    expectGaps(again, WHOLE_SCHEDULE);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set([anEvent().id]));
    expect(row(world)).toMatchObject({ status: 'failed', attempts: 22 });
    expect(row(world).history.at(-1)?.attempt).toBe(11);
  });

  test('while it waits for its next attempt is sent now, and not again at that time', async () => {
    let answer = refused;
    const world = new DeliveryWorld(async () => answer);
    world.add(anEvent());
    await world.run(0.01);
    expect(world.sent).toHaveLength(2);
    answer = { status: 204, aborts: false };
    await redeliverEvent(row(world), portsOf(world));
    await world.run();
    expect(world.sent.map(({ second }) => second)).toEqual([0, 5, 36]);
    expect(row(world).status).toBe('delivered');
  });

  test('is a conflict while an attempt is under way, until its lease has expired', async () => {
    const world = new DeliveryWorld(async () => refused);
    world.events.rows.set(anEvent().id, anEvent({ lease_until: world.now + 1 }));
    await expect(redeliverEvent(row(world), portsOf(world))).rejects.toThrow(Conflict);
    expect(world.messages).toEqual([]);
    world.now += 1;
    await redeliverEvent(row(world), portsOf(world));
    expect(world.messages).toHaveLength(1);
  });

  test('is pending even if its message cannot be sent now', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    world.events.rows.set(anEvent().id, anEvent({ status: 'failed', attempts: 11 }));
    const queue = { send: () => Promise.reject(new Error('SQS is out of reach')) };
    const restarted = await redeliverEvent(row(world), { ...portsOf(world), queue });
    expect(restarted).toMatchObject({ status: 'pending', is_redelivery: true });
    await world.run();
    expect(world.sent).toHaveLength(1);
  });

  test('whose message is lost is found by the sweeper', async () => {
    const world = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
    world.events.rows.set(anEvent().id, anEvent({ status: 'failed', attempts: 11 }));
    await redeliverEvent(row(world), portsOf(world));
    world.messages.pop();
    await world.run();
    expect(world.sent).toHaveLength(1);
  });
});
