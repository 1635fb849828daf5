import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { QUARANTINED } from '../../../functions/sweeping/sparse-index.ts';
import { stepOrLeave } from '../../../functions/sweeping/swept-rows.ts';
import { deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { EventQuarantine, GRACE_MILLISECONDS } from '../../../functions/webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../../functions/webhooks/settings/webhook-settings.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { type EventPorts, StageProcess } from '../../deployed/stage-process.ts';
import { AwsWorld } from '../../engines/index.ts';
import { START } from '../events/event-fixture.ts';

class Crash extends Error {}

function onlyCrash(error: unknown): void {
  if (!(error instanceof Crash)) throw error;
}

/** When a crashed worker's message comes back: the queue's visibility time-out. */
const BACK_AFTER = 240_000;
const MINUTE = 60_000;
const NEVER = Number.POSITIVE_INFINITY;

interface Sent {
  readonly id: string;
  /** Seconds since the start, by this world's clock. */
  readonly second: number;
  readonly url: string;
}

type Post = EventPorts['post'];

/**
 * The deliverer and its sweeper with the stage's tables. The queue is a list, and the clock jumps to whatever is due
 * next. `crashAt` kills the worker at its nth call, before or after the call's effect.
 */
export class DeliveryWorld {
  readonly aws = new AwsWorld({ start: START, latency: () => 0 });
  readonly #stage = new DeployedStage(this.aws);
  readonly #worker = this.#start('worker');
  /** For the test itself. Its calls never crash. */
  readonly #test = this.#start('test');
  readonly #dynamo = this.#test.aws.dynamo;
  readonly #table = this.#test.tables.events;
  readonly events = this.#test.events;
  readonly settings = new WebhookSettingsStore(this.#dynamo, this.#stage.name('Webhooks-Settings'));
  readonly quarantine = new EventQuarantine(this.#dynamo, this.#table);
  readonly ports: EventPorts;
  readonly messages: { message: EventMessage; dueAt: number }[] = [];
  readonly sent: Sent[] = [];
  /** The ids of events whose message reached a worker. */
  readonly received: string[] = [];
  quarantined = 0;
  hasDeliverers = true;
  now = START.getTime();
  crashAt: { readonly call: number; readonly effect: 'before' | 'after' } | undefined;
  /** How often the queue hands out each message. */
  copies = 1;
  calls = 0;

  constructor(post: Post = async () => ({ status: 204, aborts: false })) {
    const { middlewareStack } = this.#worker.aws.dynamo;
    middlewareStack.add((next) => (call) => this.#mayCrash(() => next(call)), { step: 'initialize' });
    this.ports = this.#worker.eventPorts((...request) => this.#mayCrash(() => this.#post(post, request)), {
      queue: { send: (message, _, seconds) => this.#mayCrash(() => this.#send(message, seconds)) },
      random: () => 0.5,
      countQuarantined: () => void this.quarantined++,
    });
  }

  /** Writes and sends an event, like the end of a job. */
  async add(event: WebhookEvent): Promise<void> {
    await this.events.create(event);
    await this.#send({ v: 1, event_id: event.id, attempt: event.attempts + 1 }, 0);
  }

  row = (id: string): Promise<Record<string, unknown>> => this.#test.row(this.#table, { id });

  /** Changes fields of an event's row. `undefined` removes one. */
  change = (id: string, fields: Record<string, unknown>): Promise<void> =>
    this.#test.change(this.#table, { id }, fields);

  /** Runs until nothing is due any more, or for this many seconds. */
  async run(seconds = NEVER): Promise<void> {
    const end = this.now + seconds * 1000;
    for (;;) {
      this.messages.sort((a, b) => a.dueAt - b.dueAt);
      const message = this.hasDeliverers ? (this.messages[0]?.dueAt ?? NEVER) : NEVER;
      const sweep = message <= this.now ? NEVER : await this.#nextSweep();
      const next = Math.max(this.now, Math.min(message, sweep));
      if (next > end || next === NEVER) {
        if (end !== NEVER) this.now = end;
        return;
      }
      this.now = next;
      if (message <= sweep) await this.#receive();
      else await this.#worker.sweepEvents(this.ports).catch(onlyCrash);
    }
  }

  #start(process: string): StageProcess {
    return new StageProcess(this.aws, this.#stage, process, () => new Date(this.now));
  }

  async #receive(): Promise<void> {
    const { message } = this.messages.shift()!;
    const comesBack = (error: unknown) => {
      onlyCrash(error);
      this.messages.push({ message, dueAt: this.now + BACK_AFTER });
    };
    for (let copy = 0; copy < this.copies; copy++) {
      this.received.push(message.event_id);
      const deliver = () => deliverEvent(message, this.ports).catch(comesBack);
      await stepOrLeave(message.event_id, deliver, this.ports);
    }
  }

  /** The first full minute in which the sweeper finds something. */
  async #nextSweep(): Promise<number> {
    const { Items = [] } = await this.#dynamo.send(new ScanCommand({ TableName: this.#table }));
    const open = Items.filter(({ active = QUARANTINED }) => active !== QUARANTINED);
    const due = Math.min(...open.map(({ due_at: dueAt }) => dueAt));
    return Math.ceil((due + GRACE_MILLISECONDS + 1) / MINUTE) * MINUTE;
  }

  async #send(message: EventMessage, delaySeconds: number): Promise<void> {
    if (delaySeconds > 900) throw new Error(`a queue cannot delay for ${delaySeconds} s`);
    this.messages.push({ message, dueAt: this.now + delaySeconds * 1000 });
  }

  #post(post: Post, request: Parameters<Post>): ReturnType<Post> {
    const [url, { id }] = request;
    this.sent.push({ id, url, second: (this.now - START.getTime()) / 1000 });
    return post(...request);
  }

  async #mayCrash<T>(call: () => Promise<T>): Promise<T> {
    this.calls++;
    const effect = this.crashAt?.call === this.calls ? this.crashAt.effect : undefined;
    if (effect === 'before') throw new Crash();
    const result = await call();
    if (effect === 'after') throw new Crash();
    return result;
  }
}
