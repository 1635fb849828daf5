import { loadSharedConfigFiles } from '@smithy/core/config';
import { defined } from '../../functions/defined.ts';
import type { RouteId } from '../../functions/endpoints/definitions.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { AwsWorld, type Process, seededRandom } from '../engines/index.ts';
import { checkHistory } from '../histories/check-history.ts';
import type { Exchange } from '../histories/exchange.ts';
import type { InstanceScript } from './bundle.ts';
import { type Answer, type Asking, Gateway, OF_GATEWAY } from './callers.ts';
import { lookAgain, type Order } from './clients.ts';
import { Cloud, InvocationFailed } from './cloud.ts';
import { startConsumers, sweepEachMinute } from './consumers.ts';
import { DueRows } from './followed-tables.ts';
import { Guardrails } from './guardrails.ts';
import type { History } from './history.ts';
import { Providers } from './providers.ts';
import { Receivers, ToldEvents } from './receivers.ts';
import type { Scene } from './scene.ts';
import { ShownSecrets } from './shown-secrets.ts';
import { StoredKeys, storeFirstKeys } from './stored-keys.ts';
import { leave } from './tenancy.ts';
import { type OpenedStage, openStage, type Tenant } from './tenants.ts';
import { VendorCalls } from './vendor-calls.ts';
import { Vendors } from './vendors.ts';
import { judgeWaits } from './waits.ts';
import { WatchedFiles } from './watched-files.ts';
import { WatchedJobs } from './watched-jobs.ts';
import { WatchedMoney } from './watched-money.ts';
import { WatchedWorkspaces } from './watched-workspaces.ts';
import { Weather } from './weather.ts';

const MINUTE = 60_000;

/** One day before the end of a month, so that days, weeks and months begin during long histories. */
const START = new Date('2026-01-30T20:00:00Z');

/** How long a job may stay open after its deadline, or after the last fault. */
const PATIENCE = 45 * MINUTE;
/** The time of all attempts at one event. Some time is added, because attempts may begin late. */
const LONGEST_DELIVERY = 80 * 60 * MINUTE;

export interface Outcome {
  readonly violations: readonly string[];
  /** What happened in the history, so that a reader can see whether it tested anything. */
  readonly counts: Readonly<Record<string, number>>;
}

const LONGEST_LAG = 5 * MINUTE;

/** Indexes are behind by less than a second, and now and then by minutes. */
function lagOf(of: 'reads' | 'indexes', random: () => number): number {
  const isLong = of === 'indexes' && random() < 0.002;
  return Math.floor((isLong ? LONGEST_LAG : 500) * random());
}

/** Runs all of Genway through one history. */
export class Simulation implements Scene {
  readonly world: AwsWorld;
  readonly cloud: Cloud;
  readonly weather: Weather;
  readonly providers: Providers;
  readonly calls: VendorCalls;
  readonly receivers: Receivers;
  readonly secrets = new ShownSecrets(this);
  readonly keys = new StoredKeys(this);
  readonly due = new DueRows();
  readonly workspaces: WatchedWorkspaces;
  readonly files: WatchedFiles;
  readonly jobs: WatchedJobs;
  readonly money: WatchedMoney;
  readonly guardrails = new Guardrails(this);
  readonly places: Tenant[] = [];
  readonly leaving = new Set<Tenant>();
  readonly begun = START;
  readonly orders: Order[] = [];
  readonly history: Exchange[] = [];
  readonly #vendors: Vendors;
  readonly #gateway: Gateway;
  #opened: OpenedStage = { management: '', tenants: [], open: async () => undefined };
  readonly #random: () => number;
  readonly #violations: string[] = [];
  readonly #counts: Record<string, number> = {};
  #contradictions = 0;
  #isUpgraded = false;

  /** @param old a version that some machines run until the end, as during an upgrade */
  constructor(script: InstanceScript, seed: number, old?: InstanceScript) {
    this.#random = seededRandom(seed ^ 0x5eed);
    this.world = new AwsWorld({
      seed,
      start: START,
      requestTimeout: 2_000,
      keepsCalls: false,
      countsUnits: false,
      lag: (of) => lagOf(of, this.#random),
    });
    this.world.sqs.isShuffled = true;
    this.weather = new Weather(seededRandom(seed ^ 0xfa17), this.now);
    this.world.faults = (call) => this.weather.faults(call);
    this.providers = new Providers(this, seededRandom(seed ^ 0xa1));
    this.calls = new VendorCalls(this, seededRandom(seed ^ 0xca115));
    this.receivers = new Receivers(this, [new ToldEvents(this).judge, this.secrets.judge]);
    this.#vendors = new Vendors(this, seededRandom(seed ^ 0xca11));
    this.cloud = new Cloud(this.world, {
      version: (name) => {
        const isOld = !this.#isUpgraded && old?.names.has(name) === true && this.#random() < 0.5;
        return isOld ? old : script;
      },
      skew: this.weather.skew,
      keeps: () => this.#random() < 0.9,
      print: (text) => this.#read(text),
      onFailure: (error) => this.#judgeFailure(error),
      outside: (process) => ({
        provider: this.#vendors.adapter,
        fetch: (input, init) => this.#fetch(process, String(input), init ?? {}),
      }),
    });
    this.#gateway = new Gateway(this.cloud, this.weather, this.violate);
    this.workspaces = new WatchedWorkspaces(this);
    this.files = new WatchedFiles(this);
    this.jobs = new WatchedJobs(this, [this.keys.judge, this.guardrails.judge, this.calls.judge]);
    this.money = new WatchedMoney(this);
  }

  async run({ commands, slow, isCalled }: History): Promise<Outcome> {
    const { clock } = this.world;
    // The SDK reads these files once, in real time.
    await loadSharedConfigFiles();
    const opened = await openStage(this.cloud, this.#gateway, this.world, this.#random);
    this.#opened = opened;
    this.places.push(...this.tenants);
    await storeFirstKeys(this, this.#random);
    startConsumers(this.cloud, () => this.weather.queueDelay, slow !== undefined);
    void sweepEachMinute(
      this.cloud,
      (table) => this.due.of(table).some(([, due]) => due < this.now() - MINUTE),
      () => this.#random() < 0.05,
    );
    this.weather.slowDown(slow);
    const done: unknown[] = [];
    for (const command of commands) {
      if (this.#violations.length > 0) break;
      await clock.wait(command.after);
      this.#counts[command.do] = (this.#counts[command.do] ?? 0) + 1;
      done.push(command.act(this));
    }
    if (this.#violations.length === 0) {
      await Promise.all(done);
      await this.#comeToRest();
      if (slow !== undefined) judgeWaits(this);
      if (isCalled) this.calls.judgeEnd();
    }
    this.jobs.check();
    this.money.check();
    this.cloud.stop();
    return { violations: this.#violations, counts: this.#summary() };
  }

  tenantIn = (place: number): Tenant => {
    const tenant = this.places[place];
    if (tenant === undefined) throw new Error(`nobody is in place ${place}`);
    return tenant;
  };

  /** Asks for a tenant, and notes the answer. */
  ask = async (tenant: Tenant, route: RouteId, asking: Omit<Asking, 'key'>): Promise<Answer> => {
    const begun = this.now();
    const answer = await this.#gateway.ask(route, { key: tenant.key, ...asking });
    const { path = {}, idempotencyKey } = asking;
    const id = path.video ?? path.file;
    const status = answer.status === OF_GATEWAY ? undefined : answer.status;
    const asked = { tenant: tenant.id, route, ...defined({ id, idempotencyKey }) };
    this.history.push({ ...asked, begun, ended: this.now(), status, body: answer.body });
    return answer;
  };

  call = (asking: Omit<Asking, 'key'>): Promise<Answer> => this.#gateway.ask('receive-callback', asking);

  manage = (route: RouteId, asking: Omit<Asking, 'key'>): Promise<Answer> =>
    this.#gateway.ask(route, { key: this.#opened.management, ...asking });

  get tenants(): readonly Tenant[] {
    return this.#opened.tenants;
  }

  open = (): Promise<Tenant | undefined> => this.#opened.open();

  readonly now = (): number => this.world.clock.now().getTime();

  readonly violate = (invariant: string, what: string): void => {
    const seconds = (this.now() - START.getTime()) / 1000;
    this.#violations.push(`${invariant} at ${seconds} s: ${what}`);
  };

  /** A failed message or row does not fail the whole function. Only its machine may end a function. */
  #judgeFailure(error: unknown): undefined {
    if (error instanceof InvocationFailed || this.weather.isBad) return;
    this.violate('I11', `a function throws: ${error instanceof Error ? error.stack : error}`);
  }

  #read(printed: string): void {
    const [, contradictions] = /"Contradictions":(\d+)/.exec(printed) ?? [];
    this.#contradictions += Number(contradictions ?? 0);
  }

  #summary(): Record<string, number> {
    const settled = [...this.jobs.all.values()].map(({ status }) => status);
    return {
      ...this.#counts,
      ...Object.fromEntries(
        Map.groupBy(settled, (status) => `jobs ${status}`)
          .entries()
          .map(([name, all]) => [name, all.length]),
      ),
      'AWS calls': this.world.journal.count,
      'workspaces purged': this.workspaces.purged.size,
      deliveries: this.receivers.deliveries.length,
      'jobs at providers': this.providers.works.length,
    };
  }

  async #fetch(process: Process, address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address);
    await this.world.clock.wait(50 + 100 * this.#random());
    return this.#vendors.answer(process, url, init) ?? this.receivers.answer(url, init);
  }

  /** From here on nothing fails any more, and everything that was promised must happen. */
  async #comeToRest(): Promise<void> {
    const { clock } = this.world;
    this.weather.clear();
    this.#isUpgraded = true;
    this.cloud.replaceAll();
    const calm = this.now();
    // What a clock that is an hour ahead has written is due an hour later.
    const patience = PATIENCE + (this.weather.hadWrongClocks ? 60 * MINUTE : 0);
    await this.#until(() => {
      if (this.now() > calm + LONGEST_DELIVERY) this.violate('I5', 'events wait for ever');
      const now = this.now();
      const open = [...this.jobs.all.values()].filter(({ phase }) => phase !== 'settled');
      for (const job of open) {
        if (now > Math.max(job.deadline_at, calm) + patience)
          this.violate('I1', `${job.id} is ${job.phase} after ${now - job.deadline_at} ms`);
      }
      return open.length === 0 && [...this.jobs.events.values()].every(({ status }) => status !== 'pending');
    });
    await clock.wait(LONGEST_LAG);
    await leave(this);
    await this.#until(() => this.#isSwept(this.now()));
    if (this.#violations.length > 0) return;
    await this.#judgeEnd();
    await lookAgain(this);
    for (const what of checkHistory(this.history, this.weather.hadWrongClocks))
      this.violate('what callers saw', what);
    this.files.judgeEnd();
    this.workspaces.judgeEnd();
  }

  /** Files and workspaces that have ended are gone, or will be in time. */
  #isSwept(now: number): boolean {
    const patience = PATIENCE + (this.weather.hadWrongClocks ? 120 * MINUTE : 0);
    const waiting = ['Files-Table', 'Workspaces'].flatMap((table) => this.due.of(table));
    for (const [id, due] of waiting)
      if (now > due + patience)
        this.violate('I13', `${id} has ended ${now - due} ms ago, and is still there`);
    return waiting.length === 0;
  }

  async #until(isOver: () => boolean): Promise<void> {
    while (this.#violations.length === 0 && (!isOver() || this.cloud.underWay > 0))
      await this.world.clock.wait(MINUTE);
  }

  async #judgeEnd(): Promise<void> {
    for (const job of this.jobs.all.values()) {
      const event = this.jobs.events.get(eventIdOf(job.id));
      const received = this.receivers.deliveries.filter(({ id, status }) => id === event?.id && status < 300);
      if (event?.status === 'delivered' && received.length === 0)
        this.violate('I5', `${event.id} is delivered, but no receiver has it`);
    }
    const orders = Map.groupBy(this.jobs.all.values(), ({ metadata }) => metadata?.order ?? '');
    for (const [order, { length }] of orders)
      if (length > 1 && this.orders[Number(order)]?.idempotencyKey !== undefined)
        this.violate('I9', `order ${order} became ${length} jobs`);
    const strangers = this.providers.works.filter(({ jobId }) => !this.jobs.all.has(jobId));
    if (strangers.length > 0)
      this.violate('I2', `providers have work without a job: ${strangers.map(({ jobId }) => jobId)}`);
    this.#contradictions = 0;
    await this.cloud.invoke('reconcile-rows');
    if (this.#contradictions > 0)
      this.violate('I4', `the reconciler finds ${this.#contradictions} contradictions`);
  }
}
