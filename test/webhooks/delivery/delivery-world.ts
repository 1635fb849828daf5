import { type DeliverPorts, deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import {
  type WebhookPorts,
  webhookDestinations,
} from '../../../functions/webhooks/delivery/webhook-destination.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { GRACE_MILLISECONDS, sweepEvent } from '../../../functions/webhooks/events/sweep-event.ts';
import type { WebhookSettings } from '../../../functions/webhooks/settings/webhook-settings.ts';
import { START } from '../events/event-fixture.ts';
import { MemoryEvents, MemoryLanes, MemoryStreaks } from './memory-stores.ts';

export class Crash extends Error {}

/** When a crashed worker's message comes back: the queue's visibility time-out. */
const BACK_AFTER = 240_000;
const MINUTE = 60_000;

interface Sent {
  readonly id: string;
  /** Seconds since the start, by this world's clock. */
  readonly second: number;
  readonly url: string;
}

type Send = WebhookPorts['post'];

/**
 * The deliverer, its queue and its sweeper on tables in memory. The clock jumps to whatever is due next. `crashAt`
 * kills the worker at the nth call to any port, before or after the call's effect.
 */
export class DeliveryWorld {
  readonly events = new MemoryEvents();
  readonly streaks = new MemoryStreaks();
  readonly messages: { message: EventMessage; dueAt: number }[] = [];
  readonly sent: Sent[] = [];
  settings: WebhookSettings = {
    default_callback_url: null,
    disabled: null,
    secret_version: 1,
    retiring_secrets: [],
  };
  now = START.getTime();
  crashAt: { readonly call: number; readonly effect: 'before' | 'after' } | undefined;
  /** How often the queue hands out each message. */
  copies = 1;
  calls = 0;
  readonly #lanes = new MemoryLanes({ workspace: 10, host: 10 });
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Writes and sends an event, like the end of a job. */
  add(event: WebhookEvent): void {
    this.events.rows.set(event.id, event);
    const message: EventMessage = { v: 1, event_id: event.id, attempt: event.attempts + 1 };
    this.messages.push({ message, dueAt: this.now });
  }

  /** Runs until nothing is due any more, or for this many hours. */
  async run(hours = Number.POSITIVE_INFINITY): Promise<void> {
    const end = this.now + hours * 60 * MINUTE;
    for (;;) {
      this.messages.sort((a, b) => a.dueAt - b.dueAt);
      const message = this.messages[0]?.dueAt ?? Number.POSITIVE_INFINITY;
      const sweep = this.#nextSweep();
      const next = Math.max(this.now, Math.min(message, sweep));
      if (next >= end) {
        if (end !== Number.POSITIVE_INFINITY) this.now = end;
        return;
      }
      this.now = next;
      if (message <= sweep) await this.#receive();
      else await this.#sweep();
    }
  }

  async #receive(): Promise<void> {
    const received = this.messages.shift();
    if (received === undefined) return;
    const { message } = received;
    for (let copy = 0; copy < this.copies; copy++) {
      try {
        await deliverEvent(message, this.ports);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        this.messages.push({ message, dueAt: this.now + BACK_AFTER });
      }
    }
  }

  #overdue(): WebhookEvent[] {
    return [...this.events.rows.values()].filter(({ status }) => status === 'pending');
  }

  /** The first full minute in which the sweeper finds something. */
  #nextSweep(): number {
    const due = Math.min(...this.#overdue().map(({ due_at: dueAt }) => dueAt));
    return Math.ceil((due + GRACE_MILLISECONDS + 1) / MINUTE) * MINUTE;
  }

  async #sweep(): Promise<void> {
    const overdue = this.#overdue().filter(({ due_at: dueAt }) => dueAt < this.now - GRACE_MILLISECONDS);
    for (const event of overdue) {
      const { queue, now, log } = this.ports;
      const ports = {
        sweptRows: this.events.overdue,
        quarantine: { add: async () => false },
        countQuarantined: () => undefined,
        queue,
        now,
        log,
      };
      await sweepEvent(event, ports).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
    }
  }

  readonly ports: DeliverPorts & WebhookPorts = {
    destinationOf: (event) => webhookDestinations(this.ports)(event),
    broadcast: async () => undefined,
    events: this.#crashing(this.events.port),
    settings: this.#crashing({
      find: async () => this.settings,
      disableDefault: async (_workspace: string, url: string, disabled: WebhookSettings['disabled']) => {
        if (this.settings.default_callback_url === url) this.settings = { ...this.settings, disabled };
      },
    }),
    lanes: this.#crashing(this.#lanes.port),
    streaks: this.#crashing(this.streaks.port),
    secrets: { active: async () => [new Uint8Array(32)] },
    queue: this.#crashing({
      send: async (message: EventMessage, _group: string, delaySeconds: number) => {
        if (delaySeconds > 900) throw new Error(`a queue cannot delay for ${delaySeconds} s`);
        this.messages.push({ message, dueAt: this.now + delaySeconds * 1000 });
      },
    }),
    post: this.#crashing({ send: (...call: Parameters<Send>) => this.#post(...call) }).send,
    now: () => new Date(this.now),
    random: () => 0.5,
    newRequestId: () => crypto.randomUUID(),
    countAttempt: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  };

  #post(...call: Parameters<Send>): Promise<Answer> {
    const [url, { id }] = call;
    this.sent.push({ id, url, second: (this.now - START.getTime()) / 1000 });
    return this.#send(...call);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the operations of ports have any arguments and results
  #crashing<Port extends Record<string, (...args: any[]) => Promise<any>>>(port: Port): Port {
    const wrapped = Object.entries(port).map(([name, operation]) => [
      name,
      async (...args: unknown[]) => {
        this.calls++;
        const effect = this.crashAt?.call === this.calls ? this.crashAt.effect : undefined;
        if (effect === 'before') throw new Crash(name);
        const result = await operation(...args);
        if (effect === 'after') throw new Crash(name);
        return result;
      },
    ]);
    return Object.fromEntries(wrapped);
  }
}
