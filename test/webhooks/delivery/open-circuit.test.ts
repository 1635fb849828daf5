import { expect, test } from '@jest/globals';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import { anEvent, START } from '../events/event-fixture.ts';
import { DeliveryWorld } from './delivery-world.ts';
import { expectGaps, WHOLE_SCHEDULE } from './gaps.ts';

const taken: Answer = { status: 204, aborts: false };
const refused: Answer = { status: 500, aborts: false };

const idOf = (number: number) => `msg_${String(number).padStart(26, '0')}`;
const ids = (count: number) => Array.from({ length: count }, (_, number) => idOf(number));
const rowOf = async (world: DeliveryWorld, id: string) => (await world.events.find(id))!;
const rowsOf = (world: DeliveryWorld, count: number) => Promise.all(ids(count).map((id) => rowOf(world, id)));

async function worldWith(events: number, send: (second: number) => Answer): Promise<DeliveryWorld> {
  const world: DeliveryWorld = new DeliveryWorld(async () => send((world.now - START.getTime()) / 1000));
  for (const id of ids(events)) await world.add(anEvent({ id }));
  return world;
}

test('a dead host gets ten requests, then one in half a minute, and from each event its last', async () => {
  const events = 40;
  const world = await worldWith(events, () => refused);
  await world.run();
  const seconds = world.sent.map(({ second }) => second);
  expect(seconds.slice(0, 10)).toEqual(Array(10).fill(0));
  const trials = seconds.slice(9, -events);
  for (const [at, second] of trials.slice(2).entries())
    expect(second - (trials[at + 1] ?? 0)).toBeGreaterThanOrEqual(30);
  expect(new Set(world.sent.slice(-events).map(({ id }) => id)).size).toBe(events);
  // Each event would have sent eleven.
  expect(world.sent.length).toBeLessThan(2 * events);
});

test('what is left out takes its turn in the schedule, and no event is given up on it', async () => {
  const world = await worldWith(40, () => refused);
  await world.run();
  for (const { status, attempts, history } of await rowsOf(world, 40)) {
    expect([status, attempts]).toEqual(['failed', 11]);
    const turns = history.map(({ at }) => ({ second: (Date.parse(at) - START.getTime()) / 1000 }));
    expectGaps(turns, WHOLE_SCHEDULE);
    expect(history.at(-1)).toMatchObject({ attempt: 11, outcome: '5xx' });
  }
});

test('a host that only stumbled gets every event after five seconds', async () => {
  const world = await worldWith(40, (second) => (second < 5 ? refused : taken));
  await world.run();
  for (const { status, attempts } of await rowsOf(world, 40))
    expect([status, attempts]).toEqual(['delivered', 2]);
  expect(world.sent.filter(({ second }) => second < 5)).toHaveLength(10);
});

test('a host that comes back gets the next event as its trial, and all others by their schedule', async () => {
  const back = 3 * 3600;
  const world = await worldWith(40, (second) => (second < back ? refused : taken));
  await world.run();
  for (const { status, attempts } of await rowsOf(world, 40))
    expect([status, attempts]).toEqual(['delivered', 7]);
  expect(world.sent.filter(({ second }) => second >= back)).toHaveLength(40);
});

test('a new event is the trial of a host whose failures are long ago', async () => {
  const world = await worldWith(20, () => refused);
  await world.run(3600);
  const before = world.sent.length;
  await world.add(anEvent({ id: idOf(20) }));
  await world.add(anEvent({ id: idOf(21) }));
  await world.run(1);
  expect(world.sent.slice(before).map(({ id }) => id)).toEqual([idOf(20)]);
});
