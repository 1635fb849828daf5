import { describe, expect, test } from '@jest/globals';
import { ENOUGH_SWEEPS, SILENT_SWEEPS } from '../../../functions/webhooks/events/sweep-event.ts';
import { anEvent } from './event-fixture.ts';
import { SweptEvents } from './swept-events.ts';

const { id, workspace_id } = anEvent();
const other = 'msg_01k00000000000000000000009';

/** The sweeper waits for 2, 4 and 8 minutes, and then for 16 each time. */
const ENOUGH_MINUTES = 14 + 16 * (ENOUGH_SWEEPS - 3) + ENOUGH_SWEEPS;
const SILENT_MINUTES = 14 + 16 * (SILENT_SWEEPS - 3) + SILENT_SWEEPS;

const KINDS: readonly [string, Record<string, unknown>, RegExp][] = [
  ['whose status is unknown', { status: 'paused' }, /cannot be read: status$/],
  ['whose row lacks its body', { body: undefined }, /cannot be read: body$/],
  ['whose row lacks its workspace', { workspace_id: undefined }, /cannot be read: workspace_id$/],
  ['whose attempts are not a number', { attempts: 'many' }, /cannot be read: attempts$/],
];

describe.each(KINDS)('an event %s', (_, change, reason) => {
  test('is tried less and less often, then quarantined, and delays no other', async () => {
    const stage = new SweptEvents();
    await stage.add(anEvent(), change);
    await stage.add(anEvent({ id: other }));
    await stage.run(ENOUGH_MINUTES);
    expect(stage.sent).toEqual([other]);
    expect(stage.quarantined).toBe(1);
    expect(await stage.row(id)).toMatchObject({ status: 'failed', active: 'quarantined' });
    expect(await Array.fromAsync(stage.quarantine.list())).toEqual([
      expect.objectContaining({ id, reason: expect.stringMatching(reason) }),
    ]);
    // The first message, and one from each sweep.
    const received = stage.received.filter((each) => each === id).length;
    expect(received).toBe(1 + ENOUGH_SWEEPS);
    await stage.run(60);
    expect(stage.received.filter((each) => each === id)).toHaveLength(received);
  });
});

describe('an event on which workers fail', () => {
  const failing = async () => {
    const stage = new SweptEvents();
    stage.beforeRequest = () => Promise.reject(new Error('no such key'));
    await stage.add(anEvent());
    return stage;
  };

  test('is quarantined with their reason, and counts as not delivered', async () => {
    const stage = await failing();
    await stage.run(ENOUGH_MINUTES);
    const row = await stage.row(id);
    expect(row).toMatchObject({ status: 'failed', lost_in: workspace_id });
    expect(row.quarantine).toMatchObject({
      reason: expect.stringMatching(/^workers fail on it: .*no such key/),
    });
  });

  test('is delivered once they work again, and counts its sweeps from zero', async () => {
    const stage = await failing();
    await stage.run(60);
    expect((await stage.row(id)).sweeps).toBeGreaterThan(2);
    stage.beforeRequest = async () => undefined;
    await stage.run(18);
    expect(stage.sent).toEqual([id]);
    expect(await stage.row(id)).toMatchObject({ status: 'delivered', sweeps: 0 });
    expect(stage.quarantined).toBe(0);
  });

  test('once released is unchanged, and delivered', async () => {
    const stage = await failing();
    const before = await stage.row(id);
    await stage.run(ENOUGH_MINUTES);
    stage.beforeRequest = async () => undefined;
    expect(await stage.quarantine.release(id, stage.ports.now())).toBe(true);
    const released = await stage.row(id);
    expect(released).toMatchObject({ status: 'pending', active: before.active, attempts: 0 });
    for (const name of ['quarantine', 'lost_in', 'failure']) expect(released).not.toHaveProperty(name);
    await stage.run(3);
    expect(stage.sent).toEqual([id]);
    expect(await stage.quarantine.release(id, stage.ports.now())).toBe(false);
  });

  test('can be recovered by its workspace too', async () => {
    const stage = await failing();
    await stage.run(ENOUGH_MINUTES);
    stage.beforeRequest = async () => undefined;
    await stage.events.restart((await stage.events.find(id))!, stage.ports.now());
    await stage.run(4);
    expect(stage.sent).toEqual([id]);
    expect(await stage.row(id)).not.toHaveProperty('quarantine');
  });
});

test('while no deliverer runs events are not quarantined for a day, and then they are', async () => {
  const stage = new SweptEvents();
  stage.hasDeliverers = false;
  await stage.add(anEvent());
  await stage.run(ENOUGH_MINUTES * 2);
  expect(stage.quarantined).toBe(0);
  await stage.run(SILENT_MINUTES - ENOUGH_MINUTES * 2);
  expect((await stage.row(id)).quarantine).toMatchObject({ reason: expect.stringMatching(/for a day$/) });
});
