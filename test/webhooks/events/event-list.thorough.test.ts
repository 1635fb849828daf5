import { BatchWriteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type EventStatus, newEvent, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { EventList } from '../../../functions/webhooks/events/event-list.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { recoverEvents } from '../../../functions/webhooks/events/redeliver-event.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld, countReads } from '../../engines/index.ts';
import { START } from './event-fixture.ts';

const silent = () => undefined;
const at = (second: number) => new Date(START.getTime() + second * 1000);
const ATTEMPT = { at: START.toISOString(), attempt: 1, outcome: '5xx', milliseconds: 1 };

/** Events in their own stage, created one second apart. */
class Events {
  readonly #world = new AwsWorld();
  readonly #table = new DeployedStage(this.#world).name('Webhooks-Events');
  readonly store = new EventStore(this.#world.startProcess().dynamo, this.#table);
  /** The ids of the events that were sent again. */
  readonly sent: string[] = [];

  async add(count: number, rowOf: (number: number) => WebhookEvent & { lost_in?: string }) {
    const { dynamo } = this.#world.startProcess();
    const rows = Array.from({ length: count }, (_, i) => ({ PutRequest: { Item: rowOf(i) } }));
    for (let i = 0; i < rows.length; i += 25) {
      await dynamo.send(new BatchWriteCommand({ RequestItems: { [this.#table]: rows.slice(i, i + 25) } }));
    }
  }

  async page(status?: EventStatus, limit = 20, before?: string) {
    const { dynamo } = this.#world.startProcess();
    const reads = countReads(dynamo);
    const page = await new EventList(dynamo, this.#table, silent).newest('ws-1', { status, before }, limit);
    return { ...page, reads };
  }

  async all(status?: EventStatus, limit = 20, before?: string): Promise<string[]> {
    const { rows, cursor } = await this.page(status, limit, before);
    const ids = rows.map(({ id }) => id);
    return cursor === null ? ids : [...ids, ...(await this.all(status, limit, cursor))];
  }

  async recover(since: Date, defaultUrl: string | null = null, cursor?: string) {
    const { dynamo } = this.#world.startProcess();
    const reads = countReads(dynamo);
    const settings = {
      default_callback_url: defaultUrl,
      disabled: null,
      secret_version: 0,
      retiring_secrets: [],
    };
    const recovery = await recoverEvents(
      'ws-1',
      { since, cursor },
      {
        list: new EventList(dynamo, this.#table, silent),
        events: this.store,
        settings: { find: async () => settings },
        queue: { send: async ({ event_id }) => void this.sent.push(event_id) },
        now: () => at(10_000),
        log: { error: () => undefined },
      },
    );
    return { recovery, reads };
  }
}

const idOf = (number: number) => `msg_${String(number).padStart(26, '0')}`;
const anEvent = (number: number): WebhookEvent =>
  newEvent(
    {
      id: idOf(number),
      workspace_id: 'ws-1',
      job_id: `vid_${String(number).padStart(26, '0')}`,
      type: 'video.generation.completed',
      body: '{}',
      callback_url: 'https://receiver.genway.dev/hook',
    },
    at(number),
  );
/** A lost event as the store writes it. The tests of the recovery let the store itself write one. */
const lost = (event: WebhookEvent) => ({ ...event, status: 'failed' as const, lost_in: event.workspace_id });

describe('the cost of a list of events', () => {
  const few = new Events();
  const many = new Events();
  /** The oldest event differs from all others. */
  const rowOf = (number: number) =>
    number === 0 ? lost(anEvent(0)) : { ...anEvent(number), status: 'delivered' as const };
  beforeAll(async () => {
    await few.add(60, rowOf);
    await many.add(6_000, rowOf);
  });

  test.each<[EventStatus | undefined, number]>([
    [undefined, 20],
    [undefined, 100],
    ['delivered', 20],
    ['failed', 20],
    ['no_address', 1],
  ])('does not grow with the events: %s, %i', async (status, limit) => {
    const [small, large] = [await few.page(status, limit), await many.page(status, limit)];
    expect(large.reads.rows).toBeLessThanOrEqual(2 * small.reads.rows);
    expect(large.reads.calls).toBeLessThanOrEqual(2 * small.reads.calls);
  });

  test('can end a page early, and the next one continues there', async () => {
    const { rows, cursor } = await many.page('failed');
    expect([rows, cursor]).toEqual([[], anEvent(6_000 - 101).place]);
    expect(await many.all('failed')).toEqual([idOf(0)]);
  });

  test('is one row for a recovery of one lost event', async () => {
    const { recovery, reads } = await many.recover(START);
    expect(recovery).toEqual({ recovered: 1, has_more: false });
    expect(reads).toEqual({ calls: 1, rows: 1 });
    expect(many.sent).toEqual([idOf(0)]);
  });
});

test('a list of events has each once, whatever the length of the pages', async () => {
  const events = new Events();
  await events.add(45, anEvent);
  const newestFirst = Array.from({ length: 45 }, (_, i) => idOf(44 - i));
  for (const limit of [1, 7, 44, 45, 46, 100])
    expect(await events.all(undefined, limit)).toEqual(newestFirst);
  expect((await events.page(undefined, 45)).cursor).toBeNull();
  expect(await events.all(undefined, 20, anEvent(2).place)).toEqual([idOf(1), idOf(0)]);
});

test('a list of large events ends its pages early too, and none is left out', async () => {
  const events = new Events();
  await events.add(70, (number) => ({ ...anEvent(number), body: 'x'.repeat(100_000) }));
  const { rows, cursor, reads } = await events.page(undefined, 100);
  expect([rows.length, reads.calls]).toEqual([30, 3]);
  expect(cursor).toBe(anEvent(40).place);
  expect(await events.all(undefined, 100)).toEqual(Array.from({ length: 70 }, (_, i) => idOf(69 - i)));
});

describe('a recovery', () => {
  test('sends the lost events of jobs since the given time once, and no test events', async () => {
    const events = new Events();
    for (let number = 0; number < 6; number++) await events.store.create(anEvent(number));
    const { job_id: _, ...probe } = anEvent(6);
    await events.store.create(probe);
    for (const number of [0, 1, 2]) {
      await events.store.record(anEvent(number), ATTEMPT, { status: 'failed' });
    }
    await events.store.record(probe, ATTEMPT, { status: 'failed' });
    await events.store.record(anEvent(3), ATTEMPT, { status: 'delivered' });
    await events.store.closeUndeliverable(anEvent(4));
    expect((await events.recover(at(1))).recovery).toEqual({ recovered: 3, has_more: false });
    expect(events.sent).toEqual([idOf(1), idOf(2), idOf(4)]);
    expect((await events.recover(at(1))).recovery).toEqual({ recovered: 0, has_more: false });
    const again = (await events.store.find(idOf(1)))!;
    await events.store.record(again, ATTEMPT, { status: 'failed' });
    expect((await events.recover(START)).recovery).toEqual({ recovered: 2, has_more: false });
    expect(events.sent.slice(3)).toEqual([idOf(0), idOf(1)]);
  });

  test('handles 250 in a call, and its cursor skips events without an address', async () => {
    const events = new Events();
    await events.add(600, (number) => {
      const { callback_url: _, ...nowhere } = anEvent(number);
      return lost(number < 300 ? nowhere : anEvent(number));
    });
    const counts: number[] = [];
    let cursor: string | undefined;
    do {
      const { recovery, reads } = await events.recover(START, null, cursor);
      expect(reads.rows).toBeLessThanOrEqual(251);
      counts.push(recovery.recovered);
      ({ cursor } = recovery);
    } while (cursor !== undefined);
    expect(counts).toEqual([0, 200, 100]);
    expect((await events.recover(START, 'https://receiver.genway.dev/')).recovery).toMatchObject({
      recovered: 250,
      has_more: true,
    });
  });
});

test('an unreadable event is left out of the list, and logged', async () => {
  const world = new AwsWorld();
  const table = new DeployedStage(world).name('Webhooks-Events');
  const { dynamo } = world.startProcess();
  for (const [number, change] of [
    [0, {}],
    [1, { status: 'lost' }],
    [2, {}],
  ] as const) {
    await dynamo.send(new PutCommand({ TableName: table, Item: { ...anEvent(number), ...change } }));
  }
  const told: unknown[] = [];
  const list = new EventList(dynamo, table, (id, fields) => told.push([id, fields]));
  const { rows } = await list.newest('ws-1', {}, 10);
  expect(rows.map(({ id }) => id)).toEqual([idOf(2), idOf(0)]);
  expect(told).toEqual([[idOf(1), ['status']]]);
});
