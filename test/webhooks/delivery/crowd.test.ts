import { describe, expect, test } from '@jest/globals';
import { type DeliverPorts, deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import { type LaneLimits, laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';
import {
  type WebhookPorts,
  webhookDestinations,
} from '../../../functions/webhooks/delivery/webhook-destination.ts';
import { newEvent, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { START } from '../events/event-fixture.ts';
import { MemoryEvents, MemoryLanes, MemoryStreaks } from './memory-stores.ts';

interface FleetOptions {
  /** How many functions may run at the same time. */
  readonly functions: number;
  readonly limits: LaneLimits;
  /** How long a receiver takes for its 204, in milliseconds. Undefined if it hangs. */
  readonly takes: (url: string) => number | undefined;
  readonly hangMilliseconds: number;
}

/**
 * Deliverers that run at the same time, on a clock that jumps. The queue is as bad as possible: first in, first out,
 * with batches of one, so that each hanging event occupies a deliverer.
 */
class DeliveryFleet {
  readonly #options: FleetOptions;
  readonly #events = new MemoryEvents();
  readonly #streaks = new MemoryStreaks();
  readonly #lanes: MemoryLanes;
  readonly #messages: { message: EventMessage; dueAt: number }[] = [];
  #timers: { at: number; ring: () => void }[] = [];
  #running = 0;
  #now = START.getTime();
  /** The time of the first request to each URL, in seconds since the start. */
  readonly firstAsked = new Map<string, number>();
  /** How often a deliverer found no free place for its event. */
  waits = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#lanes = new MemoryLanes(options.limits);
  }

  add(event: WebhookEvent): void {
    this.#events.rows.set(event.id, event);
    this.#send({ v: 1, event_id: event.id, attempt: 1 }, 0);
  }

  async run(seconds: number): Promise<void> {
    const end = this.#now + seconds * 1000;
    while (this.#now <= end) {
      this.#receive();
      await settled();
      if (this.#messages.some(({ dueAt }) => dueAt <= this.#now) && this.#running < this.#options.functions) {
        continue;
      }
      this.#advance();
    }
  }

  #receive(): void {
    while (this.#running < this.#options.functions) {
      const next = this.#messages.findIndex(({ dueAt }) => dueAt <= this.#now);
      const [received] = next < 0 ? [] : this.#messages.splice(next, 1);
      if (received === undefined) return;
      this.#running++;
      void deliverEvent(received.message, this.#ports).then(() => {
        this.#running--;
      });
    }
  }

  /** Advances the clock to the next timer or message. */
  #advance(): void {
    const moments = [...this.#timers.map(({ at }) => at), ...this.#messages.map(({ dueAt }) => dueAt)];
    this.#now = Math.min(...moments.filter((at) => at > this.#now), this.#now + 60_000);
    const ringing = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { ring } of ringing) ring();
  }

  #send(message: EventMessage, delaySeconds: number): void {
    this.#messages.push({ message, dueAt: this.#now + delaySeconds * 1000 });
  }

  readonly #ports: DeliverPorts & WebhookPorts = {
    destinationOf: (event) => webhookDestinations(this.#ports)(event),
    broadcast: async () => undefined,
    events: {
      ...this.#events.port,
      postpone: (...change) => {
        this.waits++;
        return this.#events.port.postpone(...change);
      },
    },
    settings: {
      find: async () => ({
        default_callback_url: null,
        disabled: null,
        secret_version: 1,
        retiring_secrets: [],
      }),
      disableDefault: async () => undefined,
    },
    lanes: {
      enter: (...asked) => this.#lanes.port.enter(...asked),
      leave: (...left) => this.#lanes.port.leave(...left),
    },
    streaks: this.#streaks.port,
    secrets: { active: async () => [new Uint8Array(32)] },
    queue: { send: async (message, _group, delaySeconds) => this.#send(message, delaySeconds) },
    post: async (url) => {
      if (!this.firstAsked.has(url)) this.firstAsked.set(url, (this.#now - START.getTime()) / 1000);
      const takes = this.#options.takes(url);
      const milliseconds = takes ?? this.#options.hangMilliseconds;
      await new Promise<void>((ring) => this.#timers.push({ at: this.#now + milliseconds, ring }));
      return takes === undefined ? { failure: 'timed_out' } : { status: 204, aborts: false };
    },
    now: () => new Date(this.#now),
    random: () => 0.5,
    newRequestId: () => crypto.randomUUID(),
    countAttempt: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  };
}

/** Resolves when everything that needs no clock is done. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The time that a receiver has for its answer. */
const HANG = 15_000;
let made = 0;

function eventFor(workspace: string, url: string): WebhookEvent {
  const id = `msg_${String(made++).padStart(26, '0')}`;
  const content = { id, workspace_id: workspace, type: 'webhook.test', body: '{}', callback_url: url };
  return newEvent(content, START);
}

const fleetOf = (functions: number) =>
  new DeliveryFleet({
    functions,
    limits: laneLimits(functions),
    hangMilliseconds: HANG,
    takes: (url) => (url.includes('hang') ? undefined : 100),
  });

describe.each([10, 50])('of %i deliverers', (functions) => {
  test('a workspace with twelve hosts that hang leaves enough for others', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 60; i++) fleet.add(eventFor('hanging', `https://hang-${i % 12}.example/`));
    fleet.add(eventFor('other', 'https://other.example/'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://other.example/')).toBeLessThanOrEqual(5);
  });

  test('two workspaces with three hosts each that hang leave enough for others', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 120; i++) fleet.add(eventFor(`hanging-${i % 2}`, `https://hang-${i % 6}.example/`));
    fleet.add(eventFor('other', 'https://other.example/'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://other.example/')).toBeLessThanOrEqual(5);
  });

  test('a hanging path does not delay another workspace’s path on the same host', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 40; i++) fleet.add(eventFor('hanging', 'https://shared.example/hang'));
    fleet.add(eventFor('other', 'https://shared.example/other'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://shared.example/other')).toBeLessThanOrEqual(5);
  });

  test('an event that waits for a slot asks for it less and less often', async () => {
    const fleet = fleetOf(functions);
    for (let i = 0; i < 200; i++) fleet.add(eventFor('slow', `https://hang.example/${i}`));
    await fleet.run(300);
    // If each event looked every 6 s, there would be 50 looks for each.
    expect(fleet.waits).toBeLessThan(200 * 15);
  });
});
