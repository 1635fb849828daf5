import { describe, expect, test } from '@jest/globals';
import { type DeliverPorts, insistentPorts } from '../../../functions/webhooks/delivery/deliver-event.ts';
import { anEvent, START } from '../events/event-fixture.ts';
import { DeliveryWorld } from './delivery-world.ts';

const BUSY = Object.assign(new Error('busy'), { name: 'ThrottlingException', $metadata: {} });
const event = anEvent();
const lane = { workspaceId: event.workspace_id, host: 'r.example' };
const attempt = { at: START.toISOString(), attempt: 1, outcome: '2xx', milliseconds: 1 };
const place = { now: START, lapsesAt: START.getTime() + 1, token: 't' };

/** Each call fails twice before it answers with what it was given. */
function start() {
  const calls = new Map<string, number>();
  let pauses = 0;
  const busy = <Port extends object>(port: Port, of: string): Port =>
    new Proxy(port, {
      get:
        (_, name) =>
        async (...given: unknown[]) => {
          const call = `${of}.${String(name)}`;
          const count = (calls.get(call) ?? 0) + 1;
          calls.set(call, count);
          if (count <= 2) throw BUSY;
          return given;
        },
    });
  const { ports } = new DeliveryWorld(async () => ({ status: 204, aborts: false }));
  const own = busy<Pick<DeliverPorts, 'destinationOf' | 'broadcast'>>(ports, 'own');
  const insistent = insistentPorts(
    {
      ...ports,
      destinationOf: own.destinationOf,
      broadcast: own.broadcast,
      events: busy(ports.events, 'events'),
      lanes: busy(ports.lanes, 'lanes'),
      streaks: busy(ports.streaks, 'streaks'),
      queue: busy(ports.queue, 'queue'),
    },
    async () => void pauses++,
  );
  return { insistent, pauses: () => pauses };
}

describe('while AWS is busy a deliverer', () => {
  const message = { v: 1, event_id: event.id, attempt: 1 } as const;
  test.each<[string, (ports: DeliverPorts) => Promise<unknown>, unknown[]]>([
    ['finds its event', ({ events }) => events.find(event.id), [event.id]],
    ['claims it', ({ events }) => events.claim(event, 1, 't'), [event, 1, 't']],
    ['puts it off', ({ events }) => events.postpone(event, 1, 't'), [event, 1, 't']],
    [
      'records its attempt',
      ({ events }) => events.record(event, attempt, { status: 'delivered' }),
      [event, attempt, { status: 'delivered' }],
    ],
    ['closes it', ({ events }) => events.closeUndeliverable(event), [event]],
    ['finds its destination', (ports) => ports.destinationOf(event), [event]],
    ['tells others of it', (ports) => ports.broadcast(event), [event]],
    ['enters a lane', ({ lanes }) => lanes.enter(lane, place), [lane, place]],
    ['finds a streak', ({ streaks }) => streaks.find('w', 'h'), ['w', 'h']],
    ['takes a trial', ({ streaks }) => streaks.takeTrial('w', 'h', START, 't'), ['w', 'h', START, 't']],
    ['sends a message', ({ queue }) => queue.send(message, 'w', 5), [message, 'w', 5]],
  ])('%s all the same', async (_, call, given) => {
    const { insistent, pauses } = start();
    expect(await call(insistent)).toEqual(given);
    expect(pauses()).toBe(2);
  });

  test.each<[string, (ports: DeliverPorts) => Promise<unknown>]>([
    ['leaves a lane', ({ lanes }) => lanes.leave(lane, 'holder')],
    ['adds to a streak', ({ streaks }) => streaks.extend('w', 'h', START)],
    ['ends a streak', ({ streaks }) => streaks.end('w', 'h')],
  ])('does not wait when it %s', async (_, call) => {
    const { insistent, pauses } = start();
    await expect(call(insistent)).rejects.toBe(BUSY);
    expect(pauses()).toBe(0);
  });
});
