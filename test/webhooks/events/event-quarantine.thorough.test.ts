import { describe, expect, jest, test } from '@jest/globals';
import { ENOUGH_SWEEPS, SILENT_SWEEPS } from '../../../functions/webhooks/events/sweep-event.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { anEvent } from './event-fixture.ts';

const { id, workspace_id } = anEvent();
const other = 'msg_01k00000000000000000000009';

const MINUTE = 60;
/** The sweeper comes after 2 minutes. Then it waits for 2, 4 and 8 minutes, and then for 16 each time, to the next minute. */
const afterSweeps = (sweeps: number) => (2 + 14 + 16 * (sweeps - 3) + sweeps) * MINUTE;
const ENOUGH_SECONDS = afterSweeps(ENOUGH_SWEEPS);
const SILENT_SECONDS = afterSweeps(SILENT_SWEEPS);

const sentBy = ({ sent }: DeliveryWorld) => sent.map(({ id: each }) => each);

const KINDS: readonly [string, Record<string, unknown>, RegExp][] = [
  ['whose status is unknown', { status: 'paused' }, /cannot be read: status$/],
  ['whose row lacks its body', { body: undefined }, /cannot be read: body$/],
  ['whose row lacks its workspace', { workspace_id: undefined }, /cannot be read: workspace_id$/],
  ['whose attempts are not a number', { attempts: 'many' }, /cannot be read: attempts$/],
];

describe.each(KINDS)('an event %s', (_, change, reason) => {
  test('is tried less and less often, then quarantined, and delays no other', async () => {
    const world = new DeliveryWorld();
    await world.add(anEvent());
    await world.change(id, change);
    await world.add(anEvent({ id: other }));
    await world.run(ENOUGH_SECONDS);
    expect(sentBy(world)).toEqual([other]);
    expect(world.quarantined).toBe(1);
    expect(await world.row(id)).toMatchObject({ status: 'failed', active: 'quarantined' });
    expect(await Array.fromAsync(world.quarantine.list())).toEqual([
      expect.objectContaining({ id, reason: expect.stringMatching(reason) }),
    ]);
    // The first message, and one from each sweep.
    const received = world.received.filter((each) => each === id).length;
    expect(received).toBe(1 + ENOUGH_SWEEPS);
    await world.run(60 * MINUTE);
    expect(world.received.filter((each) => each === id)).toHaveLength(received);
  });
});

describe('an event on which workers fail', () => {
  const failing = async () => {
    const world = new DeliveryWorld();
    const { mockRestore: repair } = jest
      .spyOn(world.ports.secrets, 'active')
      .mockRejectedValue(new Error('no such key'));
    await world.add(anEvent());
    return { world, repair };
  };

  test('is quarantined with their reason, and counts as not delivered', async () => {
    const { world } = await failing();
    await world.run(ENOUGH_SECONDS);
    const row = await world.row(id);
    expect(row).toMatchObject({ status: 'failed', lost_in: workspace_id });
    expect(row.quarantine).toMatchObject({
      reason: expect.stringMatching(/^workers fail on it: .*no such key/),
    });
  });

  test('is delivered once they work again, and counts its sweeps from zero', async () => {
    const { world, repair } = await failing();
    await world.run(60 * MINUTE);
    expect((await world.row(id)).sweeps).toBeGreaterThan(2);
    repair();
    await world.run(18 * MINUTE);
    expect(sentBy(world)).toEqual([id]);
    expect(await world.row(id)).toMatchObject({ status: 'delivered', sweeps: 0 });
    expect(world.quarantined).toBe(0);
  });

  test('once released is unchanged, and delivered', async () => {
    const { world, repair } = await failing();
    const before = await world.row(id);
    await world.run(ENOUGH_SECONDS);
    repair();
    expect(await world.quarantine.release(id, world.ports.now())).toBe(true);
    const released = await world.row(id);
    expect(released).toMatchObject({ status: 'pending', active: before.active, attempts: 0 });
    for (const name of ['quarantine', 'lost_in', 'failure']) expect(released).not.toHaveProperty(name);
    await world.run(3 * MINUTE);
    expect(sentBy(world)).toEqual([id]);
    expect(await world.quarantine.release(id, world.ports.now())).toBe(false);
  });

  test('can be recovered by its workspace too', async () => {
    const { world, repair } = await failing();
    await world.run(ENOUGH_SECONDS);
    repair();
    await world.events.restart((await world.events.find(id))!, world.ports.now());
    await world.run(4 * MINUTE);
    expect(sentBy(world)).toEqual([id]);
    expect(await world.row(id)).not.toHaveProperty('quarantine');
  });
});

test('while no deliverer runs events are not quarantined for a day, and then they are', async () => {
  const world = new DeliveryWorld();
  world.hasDeliverers = false;
  await world.add(anEvent());
  await world.run(ENOUGH_SECONDS * 2);
  expect(world.quarantined).toBe(0);
  await world.run(SILENT_SECONDS - ENOUGH_SECONDS * 2);
  expect((await world.row(id)).quarantine).toMatchObject({ reason: expect.stringMatching(/for a day$/) });
});
