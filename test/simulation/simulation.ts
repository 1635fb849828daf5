import { SendMessageCommand, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { AwsWorld } from '../engines/aws-world.ts';
import { seededRandom } from '../engines/seeded-random.ts';
import type { InstanceScript } from './bundle.ts';
import { type Answer, type Asking, Gateway } from './callers.ts';
import { Cloud, InvocationFailed } from './cloud.ts';
import type { Command, History } from './history.ts';
import { type KnownJob, Model, type Order } from './model.ts';
import { PROVIDERS, Providers } from './providers.ts';
import { type Delivery, Receivers } from './receivers.ts';
import { openStage, type Tenant } from './tenants.ts';
import { WatchedRows } from './watched-rows.ts';
import { Weather } from './weather.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A day before a month's end, so that long histories see days, weeks and months begin. */
const START = new Date('2026-01-30T20:00:00Z');

/** How long after its deadline, or after all is well again, a job may still be open. */
const PATIENCE = 45 * MINUTE;
/** All attempts at one event, and some more for where they begin late. */
const LONGEST_DELIVERY = 80 * HOUR;

export interface Outcome {
  readonly violations: readonly string[];
  /** What the run had in it, for a look at whether it had anything in it. */
  readonly counts: Readonly<Record<string, number>>;
}

/** One history, lived through by the whole of Genway. */
export class Simulation {
  readonly #world: AwsWorld;
  readonly #weather: Weather;
  readonly #cloud: Cloud;
  readonly #gateway: Gateway;
  readonly #model: Model;
  readonly #providers: Providers;
  readonly #receivers: Receivers;
  readonly #rows: WatchedRows;
  readonly #observer;
  readonly #random: () => number;
  readonly #violations: string[] = [];
  readonly #counts: Record<string, number> = {};
  #tenants: readonly Tenant[] = [];
  #management = '';
  #contradictions = 0;
  #bodies = new Map<string, string>();

  constructor(script: InstanceScript, seed: number) {
    const world = new AwsWorld({
      seed,
      start: START,
      requestTimeout: 2_000,
      lag: () => Math.floor(500 * this.#random()),
    });
    this.#world = world;
    this.#random = seededRandom(seed ^ 0x5eed);
    world.sqs.isShuffled = true;
    this.#observer = world.startProcess('observer');
    this.#weather = new Weather(seededRandom(seed ^ 0xfa17));
    world.faults = (call) => this.#weather.faults(call);
    this.#providers = new Providers(world.clock, this.#weather, seededRandom(seed ^ 0xa1));
    this.#receivers = new Receivers(world.clock, this.#weather, (delivery) => this.#onDelivery(delivery));
    this.#cloud = new Cloud(world, script, {
      skew: this.#weather.skew,
      keeps: () => this.#random() < 0.9,
      count: (metric, [count]) => this.#count(metric, count),
      onFailure: (error) => this.#judgeFailure(error),
      outside: (process) => ({
        providerNames: Object.keys(PROVIDERS),
        provider: (name, error) => this.#providers.reachedBy(process, error)(name),
        fetch: (input, init) => this.#fetch(String(input), init ?? {}),
      }),
    });
    this.#gateway = new Gateway(this.#cloud, this.#violate);
    this.#model = new Model(this.#violate);
    this.#rows = new WatchedRows(world, this.#cloud.stage, this.#providers, this.#violate);
  }

  async run({ commands }: History): Promise<Outcome> {
    const { clock } = this.#world;
    const opened = await openStage(this.#cloud, this.#gateway, this.#world, this.#random);
    this.#tenants = opened.tenants;
    this.#management = opened.management;
    for (const { id, secrets } of opened.tenants)
      for (const secret of secrets) this.#receivers.secrets.push({ workspace: id, secret });
    this.#cloud.start();
    void this.#cloud.sweepEachMinute(
      (table) => this.#isOverdue(table),
      () => this.#random() < 0.05,
    );
    const asked: Promise<unknown>[] = [];
    for (const command of commands) {
      if (this.#violations.length > 0) break;
      await clock.wait(command.after);
      this.#counts[command.do] = (this.#counts[command.do] ?? 0) + 1;
      asked.push(this.#obey(command));
    }
    if (this.#violations.length === 0) {
      await Promise.all(asked);
      await this.#comeToRest();
    }
    this.#rows.check();
    this.#cloud.stop();
    return { violations: this.#violations, counts: this.#summary() };
  }

  readonly #violate = (invariant: string, what: string): void => {
    const seconds = (this.#world.clock.now().getTime() - START.getTime()) / 1000;
    this.#violations.push(`${invariant} at ${seconds} s: ${what}`);
  };

  /** A batch's messages fail alone, and a sweeper's rows: but for its machine nothing ends a function. */
  #judgeFailure(error: unknown): undefined {
    if (error instanceof InvocationFailed || this.#weather.isBad) return;
    this.#violate('I11', `a function throws: ${error instanceof Error ? error.stack : error}`);
  }

  #count(metric: string, count: unknown): void {
    if (metric === 'countContradictions') this.#contradictions += Number(count);
  }

  #summary(): Record<string, number> {
    const settled = [...this.#rows.jobs.values()].map(({ status }) => status);
    return {
      ...this.#counts,
      ...Object.fromEntries(
        Map.groupBy(settled, (status) => `jobs ${status}`)
          .entries()
          .map(([name, all]) => [name, all.length]),
      ),
      'calls of AWS': this.#world.journal.calls.length,
      deliveries: this.#receivers.deliveries.length,
      'works at providers': this.#providers.works.length,
    };
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address);
    await this.#world.clock.wait(50 + 100 * this.#random());
    return this.#providers.answers(url) ?? this.#receivers.answer(url, init);
  }

  /** I5: told after it is true, the same each time, signed for its own workspace alone. */
  #onDelivery({ id, body, signedWith, host }: Delivery): void {
    const { type, data } = v.parse(deliverySchema, JSON.parse(body));
    const job = this.#rows.jobs.get(data.id);
    if (job === undefined || id !== eventIdOf(data.id)) {
      this.#violate('I5', `${id} tells of ${data.id}, which nobody knows`);
      return;
    }
    if (job.phase !== 'settled' || type !== `video.generation.${job.status}`)
      this.#violate('I5', `${id} tells ${type} of ${job.id}, which is ${job.status}`);
    if ((this.#bodies.get(id) ?? body) !== body)
      this.#violate('I5', `${id} tells something else than before`);
    this.#bodies.set(id, body);
    if (signedWith.length === 0 || signedWith.some((workspace) => workspace !== job.workspace_id))
      this.#violate('I5', `${id} to ${host} is signed by ${signedWith}`);
  }

  #isOverdue(table: string): boolean {
    const now = this.#world.clock.now().getTime();
    const rows = this.#world.dynamodb.tables.get(table).items(true).all();
    return rows.some(
      ({ active, due_at: dueAt }) =>
        active !== undefined && Number(dueAt && 'N' in dueAt ? dueAt.N : now) < now - MINUTE,
    );
  }

  /** Carries out a command; what comes of it is looked at where it is known. */
  async #obey(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'submit':
        return this.#submit(
          this.#model.order(command.tenant, command.model, command.idempotent, command.host),
        );
      case 'submit again': {
        const order = chosen(this.#model.orders, command.at);
        return order?.idempotencyKey === undefined ? undefined : this.#submit(order);
      }
      case 'get':
        return this.#get(chosen(this.#model.jobs, command.at), command.tenant);
      case 'cancel':
        return this.#ofJob('cancel-video', command.at);
      case 'redeliver':
        return this.#ofJob('redeliver-video-webhook', command.at);
      case 'content':
        return this.#ofJob('get-video-content', command.at);
      case 'delete':
        return this.#delete(chosen(this.#model.jobs, command.at));
      case 'list':
        return this.#model.listed(command.tenant, await this.#ask('list-videos', command.tenant, {}));
      case 'recover':
        return this.#manage('recover-webhook-deliveries', {
          path: this.#workspace(command.tenant),
          body: { since: START.toISOString() },
        });
      case 'rotate secret':
        return this.#manage('rotate-webhook-secret', { path: this.#workspace(command.tenant) });
      case 'drop default address':
        return this.#manage('put-workspace-webhook', {
          path: this.#workspace(command.tenant),
          body: { default_callback_url: null },
        });
      case 'budget': {
        const path = { ...this.#workspace(command.tenant), interval: command.interval };
        return this.#manage('put-budget', { path, body: { limit_usd: command.usd } });
      }
      case 'credits':
        return this.#manage('grant-credits', {
          body: { amount_usd: command.usd },
          idempotencyKey: `grant-${command.usd}`,
        });
      case 'disable key':
        return this.#manage('update-key', {
          path: { hash: this.#tenant(command.tenant).keyHash },
          body: { disabled: command.disabled },
        });
      default:
        return this.#operate(command);
    }
  }

  /** What operators and the world do. */
  async #operate(command: Command): Promise<unknown> {
    const weather = this.#weather;
    switch (command.do) {
      case 'sweep':
        return Promise.allSettled([this.#cloud.invoke('sweep-jobs'), this.#cloud.invoke('sweep-events')]);
      case 'reconcile':
        return this.#cloud.invoke('reconcile-rows').catch(() => undefined);
      case 'lose machines':
        return this.#cloud.killAll();
      case 'deploy':
        return this.#cloud.replaceAll();
      case 'redrive':
        return this.#redrive();
      case 'expire rows':
        return this.#world.dynamodb.tables.expireRows();
      case 'forged message':
        return this.#forge(command.at, command.how);
      case 'faults':
        weather.awsRate = command.rate;
        return;
      case 'outage':
        weather.outage = command.of;
        return;
      case 'wrong clocks':
        weather.skewRate = command.rate;
        return;
      case 'provider':
        weather.provider = command.mood;
        return;
      case 'receiver':
        return weather.receivers.set(command.host, command.mood);
    }
    return undefined;
  }

  #tenant = (at: number): Tenant => {
    const tenant = this.#tenants[at];
    if (tenant === undefined) throw new Error(`there is no tenant ${at}`);
    return tenant;
  };

  #workspace = (tenant: number) => ({ workspace: this.#tenant(tenant).id });

  #ask = (
    route: Parameters<Gateway['ask']>[0],
    tenant: number,
    asking: Omit<Asking, 'key'>,
  ): Promise<Answer> => this.#gateway.ask(route, { key: this.#tenant(tenant).key, ...asking });

  #manage = (route: Parameters<Gateway['ask']>[0], asking: Omit<Asking, 'key'>): Promise<Answer> =>
    this.#gateway.ask(route, { key: this.#management, ...asking });

  async #submit(order: Order): Promise<void> {
    const { tenant, body, idempotencyKey } = order;
    const answer = await this.#ask('submit-video', tenant, {
      body,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
    this.#model.submitted(order, answer);
  }

  async #get(job: KnownJob | undefined, asker = job?.tenant): Promise<void> {
    if (job === undefined || asker === undefined) return;
    const asked = { wasDeleted: job.deletion === 'done', before: job.seen };
    const answer = await this.#ask('get-video', asker, { path: { video: job.id } });
    this.#model.seen(job, asker, asked, answer);
  }

  async #ofJob(
    route: 'cancel-video' | 'redeliver-video-webhook' | 'get-video-content',
    at: number,
  ): Promise<void> {
    const job = chosen(this.#model.jobs, at);
    if (job !== undefined) await this.#ask(route, job.tenant, { path: { video: job.id } });
  }

  async #delete(job: KnownJob | undefined): Promise<void> {
    if (job === undefined) return;
    const { status } = await this.#ask('delete-video', job.tenant, { path: { video: job.id } });
    // It may have been deleted without an answer.
    if (status === 200) job.deletion = 'done';
    else if (status >= 500 && job.deletion === 'none') job.deletion = 'unknown';
  }

  async #redrive(): Promise<void> {
    for (const queue of ['Videos-Queue', 'Videos-Copies', 'Webhooks-Queue']) {
      const name = this.#cloud.stage.name(queue).split('/').at(-1);
      const SourceArn = `arn:aws:sqs:us-east-1:000000000000:${name}DeadLetters`;
      await this.#observer.sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
    }
  }

  /** What is no message of ours, or was one once. */
  async #forge(at: number, how: number): Promise<void> {
    const job = chosen([...this.#rows.jobs.values()], at);
    const job_id = job?.id ?? 'vid_00000000000000000000000000';
    const bodies = [
      'not JSON',
      '{}',
      JSON.stringify({ v: 9, job_id, seq: 0 }),
      JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0 }),
      JSON.stringify({ v: 1, job_id, seq: (job?.seq ?? 0) + 5 }),
      JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0, link: 'forged' }),
      JSON.stringify({ v: 1, event_id: eventIdOf(job_id), attempt: 1 + (how % 3) }),
      JSON.stringify({ v: 1, job_id: 'vid_00000000000000000000000000', seq: 1 }),
    ];
    const queue = chosen(['Videos-Queue', 'Videos-Copies', 'Webhooks-Queue'], at >> 3) ?? '';
    const QueueUrl = this.#cloud.stage.name(queue);
    await this.#observer.sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: chosen(bodies, how) ?? '' }),
    );
  }

  /** From here on nothing goes wrong any more, and whatever was promised must come true. */
  async #comeToRest(): Promise<void> {
    const { clock } = this.#world;
    this.#weather.clear();
    this.#cloud.replaceAll();
    const calm = clock.now().getTime();
    await this.#until(calm + LONGEST_DELIVERY, () => {
      const now = clock.now().getTime();
      const open = [...this.#rows.jobs.values()].filter(({ phase }) => phase !== 'settled');
      for (const job of open) {
        if (now > Math.max(job.deadline_at, calm) + PATIENCE)
          this.#violate('I1', `${job.id} is ${job.phase} after ${now - job.deadline_at} ms`);
      }
      return open.length === 0 && [...this.#rows.events.values()].every(({ status }) => status !== 'pending');
    });
    if (this.#violations.length === 0) await this.#judgeEnd();
  }

  async #until(end: number, isOver: () => boolean): Promise<void> {
    const { clock } = this.#world;
    while (this.#violations.length === 0 && (!isOver() || this.#cloud.underWay > 0)) {
      if (clock.now().getTime() > end) this.#violate('I5', 'events wait for ever');
      await clock.wait(MINUTE);
    }
  }

  async #judgeEnd(): Promise<void> {
    for (const job of this.#model.jobs) await this.#get(job);
    for (const job of this.#rows.jobs.values()) {
      const event = this.#rows.events.get(eventIdOf(job.id));
      const received = this.#receivers.deliveries.filter(
        ({ id, status }) => id === event?.id && status < 300,
      );
      if (event?.status === 'delivered' && received.length === 0)
        this.#violate('I5', `${event.id} is delivered, and nobody has it`);
    }
    const orders = Map.groupBy(this.#rows.jobs.values(), ({ metadata }) => metadata?.order ?? '');
    for (const [order, jobs] of orders) this.#model.counted(order, jobs.length);
    const strangers = this.#providers.works.filter(({ jobId }) => !this.#rows.jobs.has(jobId));
    if (strangers.length > 0)
      this.#violate('I2', `providers work for nobody: ${strangers.map(({ jobId }) => jobId)}`);
    this.#contradictions = 0;
    await this.#cloud.invoke('reconcile-rows');
    if (this.#contradictions > 0)
      this.#violate('I4', `the reconciler finds ${this.#contradictions} contradictions`);
  }
}

const deliverySchema = v.object({ type: v.string(), data: v.object({ id: v.string() }) });

const chosen = <T>(from: readonly T[], at: number): T | undefined => from[at % Math.max(1, from.length)];
