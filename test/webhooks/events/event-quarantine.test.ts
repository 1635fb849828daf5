import { describe, expect, test } from '@jest/globals';
import { type OverdueRow, overdueRow } from '../../../functions/sweeping/swept-rows.ts';
import { EVENT_ROWS, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import {
  ENOUGH_SWEEPS,
  quarantineReason,
  SILENT_SWEEPS,
} from '../../../functions/webhooks/events/sweep-event.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { anEvent, START } from './event-fixture.ts';

describe('an event that nobody delivers', () => {
  const reasonAfter = (sweeps: number, change: Record<string, unknown> = {}) =>
    quarantineReason(overdueRow({ ...anEvent(), sweeps, ...change }, EVENT_ROWS));

  test.each<[string, number, Record<string, unknown>, string | undefined]>([
    ['soon', ENOUGH_SWEEPS - 1, { body: 1 }, undefined],
    ['unreadable', ENOUGH_SWEEPS, { body: 1, type: 1 }, 'its row cannot be read: type, body'],
    ['in silence', SILENT_SWEEPS - 1, {}, undefined],
    [
      'in silence for long',
      SILENT_SWEEPS,
      {},
      'no worker has tried to deliver it or reported an error for a day',
    ],
  ])('is judged: %s', (_, sweeps, change, reason) => {
    expect(reasonAfter(sweeps, change)).toBe(reason);
  });
});

describe('the quarantine', () => {
  async function start(event: WebhookEvent) {
    const world = new DeliveryWorld();
    await world.add(event);
    const overdue = overdueRow(await world.row(event.id), EVENT_ROWS);
    return { world, overdue, add: (row: OverdueRow) => world.quarantine.add(row, 'why', START) };
  }

  test('ends an event, which its workspace can recover, and leaves it no lease', async () => {
    const { world, overdue, add } = await start(anEvent());
    expect(await add(overdue)).toBe(true);
    const { id, workspace_id } = anEvent();
    expect(await world.row(id)).toMatchObject({ status: 'failed', lease_until: 0, lost_in: workspace_id });
  });

  test('makes no event of a test recoverable', async () => {
    const { job_id: _, ...probe } = anEvent();
    const { world, overdue, add } = await start(probe);
    expect(await add(overdue)).toBe(true);
    expect(await world.row(probe.id)).not.toHaveProperty('lost_in');
  });

  test('takes an event once, and a sweeper that comes late changes nothing about it', async () => {
    const { world, overdue, add } = await start(anEvent());
    expect(await add(overdue)).toBe(true);
    const taken = await world.row(overdue.id);
    const { sweptRows } = world.ports;
    expect(await sweptRows.find(overdue.id)).toBeUndefined();
    expect(await sweptRows.postpone(overdue, overdue.due_at + 1)).toBe(false);
    expect(await add(overdue)).toBe(false);
    expect(await world.row(overdue.id)).toEqual(taken);
  });

  test('leaves an event that somebody has moved, and hides no other failure', async () => {
    const { world, overdue, add } = await start(anEvent());
    expect(await add({ ...overdue, due_at: overdue.due_at + 1 })).toBe(false);
    expect(await world.row(anEvent().id)).toMatchObject({ status: 'pending' });
    await expect(add({ ...overdue, row: { ...overdue.row, id: 7 } })).rejects.toThrow();
  });
});
