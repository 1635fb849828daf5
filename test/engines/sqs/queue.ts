import { hash } from 'node:crypto';
import type { VirtualClock } from '../clock.ts';
import { ServiceError } from '../service.ts';

export interface QueueSettings {
  readonly visibilitySeconds: number;
  readonly delaySeconds: number;
  readonly retentionSeconds: number;
  readonly maximumBytes: number;
  readonly waitSeconds: number;
  readonly deadLetters: { readonly queue: Queue; readonly maxReceives: number } | undefined;
}

export interface NewMessage {
  readonly body: string;
  readonly group: string | undefined;
  /** @default the queue's delay */
  readonly delaySeconds?: number | undefined;
}

export interface Message extends Pick<NewMessage, 'body' | 'group'> {
  readonly id: string;
  readonly sentAt: number;
  /** Nobody receives the message before this time: it is delayed or in flight. */
  visibleAt: number;
  receives: number;
  receivedAt: number;
  firstReceivedAt: number | undefined;
  /** The receipt handle of the last receive. */
  handle: string | undefined;
  /** The queue that this dead letter came from. */
  source: Queue | undefined;
}

export interface Receiving {
  readonly count: number;
  /** @default the queue's visibility time-out */
  readonly visibilitySeconds: number | undefined;
  /** Messages stay visible although they were handed out. */
  readonly isDuplicate: boolean;
}

/** Beyond this share of the receivers' time AWS prefers other groups. */
const NOISY = 0.1;

const HANDLE = /^[0-9a-f-]{36}\.\d+\.\d+$/;

/** One standard queue. */
export class Queue {
  readonly name: string;
  readonly settings: QueueSettings;
  /** Chooses the messages to hand out. AWS promises no order. */
  readonly #pick: (waiting: readonly Message[], count: number) => readonly Message[];
  readonly #clock: VirtualClock;
  #messages: Message[] = [];
  /** How long receivers had the deleted messages of each group, since it last had none that waited. */
  readonly #spent = new Map<string, number>();
  #sent = 0;
  #arrival = Promise.withResolvers<void>();

  constructor(
    name: string,
    settings: QueueSettings,
    clock: VirtualClock,
    pick: (waiting: readonly Message[], count: number) => readonly Message[],
  ) {
    this.name = name;
    this.settings = settings;
    this.#clock = clock;
    this.#pick = pick;
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }

  send({ body, group, delaySeconds = this.settings.delaySeconds }: NewMessage): Message {
    this.#sent++;
    const hex = hash('md5', `${this.name} ${this.#sent}`);
    const message: Message = {
      id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      body,
      group,
      sentAt: this.#now,
      visibleAt: this.#now + delaySeconds * 1000,
      receives: 0,
      receivedAt: 0,
      firstReceivedAt: undefined,
      handle: undefined,
      source: undefined,
    };
    this.#add(message);
    return message;
  }

  #add(message: Message): void {
    this.#messages.push(message);
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  }

  /** Adds the same message again, because delivery is at least once. */
  repeat(message: Message): void {
    this.#add({ ...message });
  }

  receive({ count, visibilitySeconds = this.settings.visibilitySeconds, isDuplicate }: Receiving): Message[] {
    this.#buryDeadLetters();
    return this.#pick(this.#preferred(), count).map((message) => {
      message.receives++;
      message.receivedAt = this.#now;
      message.firstReceivedAt ??= this.#now;
      message.handle = `${message.id}.${message.receives}.${this.#messages.indexOf(message)}`;
      if (!isDuplicate) message.visibleAt = this.#now + visibilitySeconds * 1000;
      return { ...message };
    });
  }

  /**
   * Messages of groups that are quiet, or else of the noisy group with the fewest in flight. AWS also calls a group noisy
   * that has thirty messages and a tenth of those in flight.
   */
  #preferred(): readonly Message[] {
    const waiting = Map.groupBy(this.#waiting(), groupOf);
    for (const group of this.#spent.keys()) if (!waiting.has(group)) this.#spent.delete(group);
    const inFlight = this.#messages.filter(
      ({ receives, visibleAt }) => receives > 0 && visibleAt > this.#now,
    );
    const spent = new Map(this.#spent);
    for (const message of inFlight) this.#spend(message, spent);
    const all = spent.values().reduce((sum, each) => sum + each, 0);
    const noiseOf = (group: string) =>
      (spent.get(group) ?? 0) > NOISY * all
        ? 1 + inFlight.filter((each) => groupOf(each) === group).length
        : 0;
    const noises = Map.groupBy(waiting.keys(), noiseOf);
    const quietest = noises.get(Math.min(...noises.keys())) ?? [];
    return this.#waiting().filter((message) => quietest.includes(groupOf(message)));
  }

  #spend(message: Message, spent: Map<string, number>): void {
    const group = groupOf(message);
    spent.set(group, (spent.get(group) ?? 0) + this.#now - message.receivedAt);
  }

  #waiting(): Message[] {
    const now = this.#now;
    const kept = now - this.settings.retentionSeconds * 1000;
    this.#messages = this.#messages.filter(({ sentAt }) => sentAt >= kept);
    return this.#messages.filter(({ visibleAt }) => visibleAt <= now);
  }

  /** Moves messages that were received too often to the dead-letter queue. */
  #buryDeadLetters(): void {
    const { deadLetters } = this.settings;
    if (deadLetters === undefined) return;
    const dead = this.#waiting().filter(({ receives }) => receives >= deadLetters.maxReceives);
    this.#messages = this.#messages.filter((message) => !dead.includes(message));
    for (const message of dead) deadLetters.queue.#add({ ...message, source: this });
  }

  /** Waits until a message can be received or this time has come. */
  async untilWaiting(deadline: number): Promise<void> {
    while (this.#now < deadline && this.#waiting().length === 0) {
      const next = Math.min(deadline, ...this.#messages.map(({ visibleAt }) => visibleAt));
      const due = Promise.withResolvers<void>();
      const stop = this.#clock.ringIn(next - this.#now, due.resolve);
      await Promise.race([due.promise, this.#arrival.promise]);
      stop();
    }
  }

  /** Deletes a message by its last handle. An older handle has no effect and is no error. */
  delete(handle: string): void {
    if (!HANDLE.test(handle)) {
      throw new ServiceError('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
    }
    for (const message of this.#messages) if (message.handle === handle) this.#spend(message, this.#spent);
    this.#messages = this.#messages.filter((message) => message.handle !== handle);
  }

  purge(): void {
    this.#messages = [];
  }

  /** Returns dead letters to their queues, as new messages. */
  redrive(): void {
    const letters = this.#waiting();
    this.#messages = this.#messages.filter((message) => !letters.includes(message));
    for (const { body, group, source } of letters) source?.send({ body, group, delaySeconds: 0 });
  }

  /** When the oldest message was sent that is no longer delayed, whether a receiver has it or not. */
  oldest(): Date | undefined {
    const ripe = this.#messages.filter(({ visibleAt, receives }) => receives > 0 || visibleAt <= this.#now);
    return ripe.length === 0 ? undefined : new Date(Math.min(...ripe.map(({ sentAt }) => sentAt)));
  }

  counts(): { visible: number; inFlight: number; delayed: number } {
    const waiting = this.#waiting();
    const hidden = this.#messages.filter((message) => !waiting.includes(message));
    const delayed = hidden.filter(({ receives }) => receives === 0).length;
    return { visible: waiting.length, inFlight: hidden.length - delayed, delayed };
  }
}

/** Without a group each message is one. */
const groupOf = ({ group, id }: Message): string => group ?? id;
