import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import { webhookDestinations } from '../../../functions/webhooks/delivery/webhook-destination.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { anEvent, START } from '../events/event-fixture.ts';
import { DeliveryWorld } from './delivery-world.ts';
import { expectGaps, WHOLE_SCHEDULE } from './gaps.ts';

const taken: Answer = { status: 204, aborts: false };
const refused: Answer = { status: 500, aborts: false };
const DEFAULT = 'https://default.genway.dev/hook';

/** A world whose receiver gives these answers in order, and the last one again and again. */
function worldOf(...answers: readonly Answer[]): DeliveryWorld {
  const rest = [...answers];
  return new DeliveryWorld(async () => (rest.length > 1 ? rest.shift() : rest[0]) ?? taken);
}

function withoutAddress(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const { callback_url: _, ...event } = anEvent(changes);
  return event;
}

const row = async (world: DeliveryWorld, id = anEvent().id) => (await world.events.find(id))!;
const WORKSPACE = anEvent().workspace_id;
const HOST = 'receiver.genway.dev';
const setDefault = (world: DeliveryWorld) => world.settings.setDefaultCallbackUrl(WORKSPACE, DEFAULT);
const disabledFor = async (world: DeliveryWorld) => (await world.settings.find(WORKSPACE)).disabled?.reason;
const numbered = (number: number) => anEvent({ id: `msg_${String(number).padStart(26, '0')}` });

describe('an event', () => {
  test('that is accepted at once is sent once, and its row says so', async () => {
    const world = worldOf(taken);
    await world.add(anEvent());
    await world.run();
    expect(world.sent).toEqual([{ id: anEvent().id, url: anEvent().callback_url, second: 0 }]);
    expect(await row(world)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      lease_until: 0,
      history: [{ attempt: 1, outcome: '2xx', milliseconds: 0, request_id: expect.any(String) }],
    });
    expect(world.messages).toEqual([]);
  });

  test('that is never accepted is sent eleven times over 75.6 hours, and no more', async () => {
    const world = worldOf(refused);
    await world.add(anEvent());
    await world.run();
    expectGaps(world.sent, WHOLE_SCHEDULE);
    expect(await row(world)).toMatchObject({ status: 'failed', attempts: 11 });
    expect((await row(world)).history.map(({ attempt }) => attempt)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
  });

  test('whose messages all come three times is still sent once for each attempt', async () => {
    const world = worldOf(refused);
    world.copies = 3;
    await world.add(anEvent());
    await world.run();
    expect(world.sent).toHaveLength(11);
  });

  test('whose message is received by two workers at once is sent once', async () => {
    const world = worldOf(taken);
    await world.add(anEvent());
    const { message } = world.messages[0]!;
    await Promise.all([1, 2, 3].map(() => deliverEvent(message, world.ports)));
    expect(world.sent).toHaveLength(1);
  });

  test('whose message is lost is sent by the sweeper', async () => {
    const world = worldOf(taken);
    await world.add(anEvent());
    world.messages.pop();
    await world.run();
    expect(world.sent).toHaveLength(1);
    expect((await row(world)).status).toBe('delivered');
  });

  test('that was already delivered is not sent again by an old message', async () => {
    const world = worldOf(taken);
    await world.add(anEvent({ status: 'delivered', attempts: 0 }));
    await world.change(anEvent().id, { active: undefined });
    await world.run();
    expect(world.sent).toEqual([]);
  });
});

describe('a crash', () => {
  const script = [refused, { failure: 'tls_failed' }, refused, taken] as const;

  test.each(['before', 'after'] as const)('%s any effect loses no event', async (effect) => {
    const smooth = worldOf(...script);
    smooth.add(anEvent());
    await smooth.run();
    for (let call = 1; call <= smooth.calls; call++) {
      const world = worldOf(...script);
      world.crashAt = { call, effect };
      await world.add(anEvent());
      await world.run();
      expect((await row(world)).status).toBe('delivered');
      // A crash may cause one request too many, but never one too few.
      expect([0, 1]).toContain(world.sent.length - smooth.sent.length);
    }
  });

  test('between the request and its record repeats the attempt under the same id', async () => {
    const world = worldOf(taken);
    await world.add(anEvent());
    jest.spyOn(world.ports.events, 'record').mockRejectedValueOnce(new Error('crash'));
    const { message } = world.messages[0]!;
    await expect(deliverEvent(message, world.ports)).rejects.toThrow('crash');
    await world.run();
    expect(world.sent.map(({ id }) => id)).toEqual([anEvent().id, anEvent().id]);
    expect(await row(world)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('keeps the lease of the attempt for only 30 s', async () => {
    const world = worldOf(taken);
    const leased = world.now + 30_000;
    await world.add(anEvent({ lease_until: leased }));
    const { message } = world.messages[0]!;
    world.now = leased - 1;
    await deliverEvent(message, world.ports);
    expect(world.sent).toEqual([]);
    world.now = leased;
    await deliverEvent(message, world.ports);
    expect(world.sent).toHaveLength(1);
  });
});

describe('the address', () => {
  test('is the job’s own, or else the workspace’s default at that time', async () => {
    const world = worldOf(taken);
    await setDefault(world);
    await world.add(anEvent());
    await world.add(withoutAddress({ id: numbered(1).id }));
    await world.run();
    expect(world.sent.map(({ url }) => url)).toEqual([anEvent().callback_url, DEFAULT]);
  });

  test.each([
    ['there is none', async () => undefined],
    [
      'it is disabled',
      async (world: DeliveryWorld) => {
        await setDefault(world);
        await world.settings.disableDefault(WORKSPACE, DEFAULT, { reason: 'gone', at: START.toISOString() });
      },
    ],
  ])('ends the event if %s', async (_, prepare) => {
    const world = worldOf(taken);
    await prepare(world);
    await world.add(withoutAddress());
    await world.run();
    expect(world.sent).toEqual([]);
    expect(await row(world)).toMatchObject({ status: 'no_address', attempts: 0, history: [] });
  });

  test('that answers 410 ends the event, and is disabled as the default', async () => {
    for (const [event, reason] of [
      [withoutAddress(), 'gone'],
      [anEvent(), undefined],
    ] as const) {
      const world = worldOf({ status: 410, aborts: false });
      await setDefault(world);
      await world.add(event);
      await world.run();
      expect(world.sent).toHaveLength(1);
      expect((await row(world)).status).toBe('failed');
      expect(await disabledFor(world)).toBe(reason);
    }
  });

  test('without a success in five days and twenty attempts is disabled; a 2xx resets the count', async () => {
    let added = 0;
    const failFor = async (world: DeliveryWorld, days: number) => {
      for (let day = 0; day < days; day++) {
        await world.add(withoutAddress({ id: numbered(added++).id }));
        await world.run(24 * 3600);
      }
    };
    const dead = worldOf(refused);
    await setDefault(dead);
    await failFor(dead, 5);
    expect(await disabledFor(dead)).toBeUndefined();
    await failFor(dead, 1);
    expect(await disabledFor(dead)).toBe('failing');

    const alive = worldOf(...Array.from({ length: 20 }, () => refused), taken, refused);
    await setDefault(alive);
    await failFor(alive, 6);
    expect(await disabledFor(alive)).toBeUndefined();
  });
});

describe('a host', () => {
  test('that has just failed ten times is spared the first attempt of new events', async () => {
    const world = worldOf(...Array.from({ length: 10 }, () => refused), taken);
    for (let i = 0; i < 10; i++) await world.add(numbered(i));
    await world.run(1);
    expect(world.sent).toHaveLength(10);
    await world.add(numbered(10));
    await world.run(1);
    expect(world.sent).toHaveLength(10);
    expect((await row(world, numbered(10).id)).history).toMatchObject([
      { attempt: 1, outcome: 'circuit_open' },
    ]);
    await world.run();
    expect(world.sent.filter(({ id }) => id === numbered(10).id)).toMatchObject([{ second: 6 }]);
    expect(await row(world, numbered(10).id)).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  /** A world whose receiver has just failed ten times, and a retry of an event for it. */
  async function failingWorld(change: Partial<WebhookEvent> = {}) {
    const world = worldOf(taken);
    for (let i = 0; i < 10; i++) await world.ports.streaks.extend(WORKSPACE, HOST, new Date(world.now));
    await world.add(anEvent({ attempts: 1, ...change }));
    const triedAt = async () => (await world.ports.streaks.find(WORKSPACE, HOST))?.triedAt;
    return { world, triedAt, message: world.messages[0]!.message };
  }

  test.each(['lanes', 'events'] as const)(
    'keeps its trial for another event where %s refuse this one',
    async (refusing) => {
      const { world, triedAt, message } = await failingWorld();
      if (refusing === 'lanes') jest.spyOn(world.ports.lanes, 'enter').mockResolvedValue(undefined);
      else jest.spyOn(world.ports.events, 'claim').mockResolvedValue(undefined);
      await deliverEvent(message, world.ports);
      expect([world.sent, await triedAt()]).toEqual([[], undefined]);
    },
  );

  test('has its place back where another event has taken the trial meanwhile', async () => {
    const { world, message } = await failingWorld();
    jest.spyOn(world.ports.streaks, 'takeTrial').mockResolvedValue(false);
    const leave = jest.spyOn(world.ports.lanes, 'leave');
    await deliverEvent(message, world.ports);
    expect(world.sent).toEqual([]);
    expect(leave).toHaveBeenCalledTimes(1);
    expect(await row(world)).toMatchObject({
      attempts: 2,
      lease_until: 0,
      history: [{ outcome: 'circuit_open' }],
    });
  });

  test('has no place while its trial is another event’s', async () => {
    const { world, message } = await failingWorld();
    await world.ports.streaks.takeTrial(WORKSPACE, HOST, new Date(world.now), 'another');
    const enter = jest.spyOn(world.ports.lanes, 'enter');
    world.now += 29_999;
    await deliverEvent(message, world.ports);
    expect([world.sent, enter.mock.calls]).toEqual([[], []]);
  });

  test('is sent a test event at once, however it has failed', async () => {
    const { world, triedAt, message } = await failingWorld({ type: 'webhook.test', attempts: 0 });
    await deliverEvent(message, world.ports);
    expect(world.sent).toHaveLength(1);
    expect(await triedAt()).toBeUndefined();
  });

  test('is sent ten requests at a time, whatever is due', async () => {
    let inFlight = 0;
    let most = 0;
    const world: DeliveryWorld = new DeliveryWorld(async () => {
      most = Math.max(most, ++inFlight);
      await world.aws.clock.wait(1);
      inFlight--;
      return taken;
    });
    await Promise.all(Array.from({ length: 100 }, (_, i) => world.add(numbered(i))));
    const burst = world.messages.splice(0);
    await Promise.all(burst.map(({ message }) => deliverEvent(message, world.ports)));
    expect(most).toBe(10);
    await world.run();
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(100);
    expect(world.sent).toHaveLength(100);
  });
});

describe('what a worker does besides', () => {
  /** The ports of a world, and what was asked of some of them. */
  function watched(answer: Answer) {
    const world = worldOf(answer);
    const asked: unknown[] = [];
    const ports = {
      ...world.ports,
      broadcast: async ({ id }: WebhookEvent) => void asked.push(['broadcast', id]),
      log: { ...world.ports.log, info: (...said: unknown[]) => void asked.push(said) },
      newRequestId: () => 'request-1',
    };
    jest
      .spyOn(world.ports.streaks, 'end')
      .mockImplementation(async (...streak) => void asked.push(['ended', ...streak]));
    const countAttempt = (outcome: string) => void asked.push(['counted', outcome]);
    const destinationOf = webhookDestinations({ ...ports, countAttempt });
    return { world, asked, ports: { ...ports, destinationOf } };
  }
  const first = { v: 1, event_id: anEvent().id, attempt: 1 } as const;

  test('is to tell others before the first attempt, and to log and count each', async () => {
    const { world, asked, ports } = watched(refused);
    await world.add(anEvent());
    await deliverEvent(first, ports);
    const logged = (attempt: number, at: number) => [
      'webhook attempted',
      {
        event_id: anEvent().id,
        host: HOST,
        at: new Date(at).toISOString(),
        attempt,
        outcome: '5xx',
        milliseconds: 0,
        request_id: 'request-1',
      },
    ];
    const told = [['broadcast', anEvent().id], ['counted', '5xx'], logged(1, START.getTime())];
    expect(asked).toEqual(told);
    world.now += 5_000;
    await deliverEvent({ ...first, attempt: 2 }, ports);
    expect(asked).toEqual([...told, ['counted', '5xx'], logged(2, START.getTime() + 5_000)]);
  });

  test('is nothing for others where the event has waited for a place', async () => {
    const { world, asked, ports } = watched(taken);
    await world.add(anEvent({ waits: 1 }));
    await deliverEvent(first, ports);
    expect(asked).toEqual([
      ['counted', '2xx'],
      ['webhook attempted', expect.anything()],
    ]);
  });

  test('is to end the streak of a host that takes an event again, where there is one', async () => {
    const { world, asked, ports } = watched(taken);
    await world.add(anEvent());
    await deliverEvent(first, ports);
    expect(asked).not.toContainEqual(expect.arrayContaining(['ended']));
    await world.ports.streaks.extend(WORKSPACE, HOST, new Date(world.now));
    await world.add(numbered(1));
    await deliverEvent({ ...first, event_id: numbered(1).id }, ports);
    expect(asked).toContainEqual(['ended', WORKSPACE, HOST]);
  });

  test('is to count the first attempt that it leaves out, and to make that of a redelivery', async () => {
    const { world, asked, ports } = watched(refused);
    for (let i = 0; i < 10; i++) await world.ports.streaks.extend(WORKSPACE, HOST, new Date(world.now));
    await world.add(anEvent());
    await deliverEvent(first, ports);
    expect(asked).toEqual([
      ['broadcast', anEvent().id],
      ['counted', 'circuit_open'],
    ]);
    const at = START.toISOString();
    const skipped = { at, attempt: 1, outcome: 'circuit_open', milliseconds: 0 };
    expect(await row(world)).toMatchObject({ history: [skipped], due_at: world.now + 5_000, refusals: 0 });
    expect(world.sent).toEqual([]);
    await world.add({ ...numbered(1), is_redelivery: true });
    await deliverEvent({ ...first, event_id: numbered(1).id }, ports);
    expect(world.sent).toHaveLength(1);
  });

  test('takes as long as it takes', async () => {
    const world: DeliveryWorld = new DeliveryWorld(async () => {
      world.now += 1_234;
      return refused;
    });
    await world.add(anEvent());
    await deliverEvent(first, world.ports);
    expect((await row(world)).history).toMatchObject([{ at: START.toISOString(), milliseconds: 1_234 }]);
    expect((await row(world)).due_at).toBe(START.getTime() + 1_234 + 5_000);
    const { message } = world.messages.at(-1)!;
    expect(message).toEqual({ v: 1, event_id: anEvent().id, attempt: 2 });
  });

  test('sends no message that a queue cannot delay, and one that it just can', async () => {
    for (const [seconds, messages] of [
      [900, 1],
      [901, 0],
    ] as const) {
      const world = worldOf({ status: 503, aborts: false, retryAfterSeconds: seconds });
      await world.events.create(anEvent());
      await deliverEvent(first, world.ports);
      expect(world.messages).toHaveLength(messages);
      expect((await row(world)).due_at).toBe(world.now + seconds * 1000);
    }
  });

  test.each<[string, WebhookEvent | undefined]>([
    ['unknown', undefined],
    ['delivered', anEvent({ status: 'delivered' })],
    ['one attempt further', anEvent({ attempts: 1 })],
  ])('is nothing for a message whose event is %s', async (_, event) => {
    const { world, asked, ports } = watched(taken);
    if (event !== undefined) await world.events.create(event);
    const destinationOf = () => Promise.reject(new Error('nobody should ask'));
    await deliverEvent(first, { ...ports, destinationOf });
    expect(asked).toEqual([]);
  });

  test('is no message for an event that another worker has put off', async () => {
    const world = worldOf(taken);
    await world.events.create(anEvent());
    jest.spyOn(world.ports.lanes, 'enter').mockResolvedValue(undefined);
    jest.spyOn(world.ports.events, 'postpone').mockResolvedValue(false);
    await deliverEvent(first, world.ports);
    expect(world.messages).toEqual([]);
  });

  test('puts an event off that finds no place, for as long as its message', async () => {
    const world = worldOf(taken);
    await world.events.create(anEvent({ waits: 2 }));
    jest.spyOn(world.ports.lanes, 'enter').mockResolvedValue(undefined);
    await deliverEvent(first, world.ports);
    expect(await row(world)).toMatchObject({ waits: 3, due_at: world.now + 6_000 });
    expect(world.messages).toEqual([{ message: first, dueAt: world.now + 6_000 }]);
    expect(world.sent).toEqual([]);
  });
});

test('whatever a receiver answers, every event ends, and an ended event has no further attempt', async () => {
  const answer = fc.oneof(
    fc.record({ status: fc.integer({ min: 200, max: 599 }), aborts: fc.boolean() }),
    fc.constantFrom<Answer>(
      { failure: 'timed_out' },
      { failure: 'connection_failed' },
      { failure: 'tls_failed' },
      { status: 503, aborts: false, retryAfterSeconds: 10 ** 9 },
    ),
  );
  const crash = fc.record({ call: fc.nat(80), effect: fc.constantFrom('before' as const, 'after' as const) });
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1 }), crash, async (answers, crashAt) => {
      const world = worldOf(...answers, taken);
      world.crashAt = crashAt;
      await world.add(anEvent());
      await world.run();
      const { status, attempts } = await row(world);
      expect(status === 'delivered' || status === 'failed').toBe(true);
      expect(attempts).toBeLessThanOrEqual(11);
      expect(world.sent.length - attempts).toBeGreaterThanOrEqual(0);
      expect(world.sent.length - attempts).toBeLessThanOrEqual(1);
    }),
  );
});
