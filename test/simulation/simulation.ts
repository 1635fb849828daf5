import { loadSharedConfigFiles } from '@smithy/core/config';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { AwsWorld, type Process, seededRandom } from '../engines/index.ts';
import type { InstanceScript } from './bundle.ts';
import { Gateway } from './callers.ts';
import { Clients } from './clients.ts';
import { Cloud, InvocationFailed } from './cloud.ts';
import { startConsumers, sweepEachMinute } from './consumers.ts';
import { ALONE } from './crowd.ts';
import { FileClients } from './file-clients.ts';
import { DueRows } from './followed-tables.ts';
import { Guardrails } from './guardrails.ts';
import type { History } from './history.ts';
import { Model } from './model.ts';
import { Operators } from './operators.ts';
import { type AccountOf, Providers } from './providers.ts';
import { Receivers, ToldEvents } from './receivers.ts';
import { ShownSecrets } from './shown-secrets.ts';
import { StoredKeys, storeFirstKeys } from './stored-keys.ts';
import { Tenancy } from './tenancy.ts';
import { type OpenedStage, openStage, type Tenant } from './tenants.ts';
import { isWired, VendorWires } from './vendor-wires.ts';
import { judgeWaits } from './waits.ts';
import { WatchedFiles } from './watched-files.ts';
import { WatchedRows } from './watched-rows.ts';
import { WatchedWorkspaces } from './watched-workspaces.ts';
import { Weather } from './weather.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** One day before the end of a month, so that days, weeks and months begin during long histories. */
const START = new Date('2026-01-30T20:00:00Z');

/** How long a job may stay open after its deadline, or after the last fault. */
const PATIENCE = 45 * MINUTE;
/** The time of all attempts at one event. Some time is added, because attempts may begin late. */
const LONGEST_DELIVERY = 80 * HOUR;

export interface Outcome {
  readonly violations: readonly string[];
  /** What happened in the history, so that a reader can see whether it tested anything. */
  readonly counts: Readonly<Record<string, number>>;
}

interface Callers {
  readonly clients: Clients;
  readonly fileClients: FileClients;
  readonly tenancy: Tenancy;
}

const LONGEST_LAG = 5 * MINUTE;

/** Indexes are behind by less than a second, and now and then by minutes. */
function lagOf(of: 'reads' | 'indexes', random: () => number): number {
  const isLong = of === 'indexes' && random() < 0.002;
  return Math.floor((isLong ? LONGEST_LAG : 500) * random());
}

/** Runs all of Genway through one history. */
export class Simulation {
  readonly #world: AwsWorld;
  readonly #weather: Weather;
  readonly #cloud: Cloud;
  readonly #gateway: Gateway;
  readonly #model: Model;
  readonly #providers: Providers;
  readonly #wires: VendorWires;
  readonly #receivers: Receivers;
  readonly #secrets: ShownSecrets;
  readonly #due = new DueRows();
  readonly #workspaces: WatchedWorkspaces;
  readonly #files: WatchedFiles;
  readonly #keys: StoredKeys;
  readonly #guardrails: Guardrails;
  readonly #rows: WatchedRows;
  readonly #operators: Operators;
  readonly #random: () => number;
  #tenants: readonly Tenant[] = [];
  readonly #violations: string[] = [];
  readonly #counts: Record<string, number> = {};
  #contradictions = 0;
  #isUpgraded = false;

  /** @param old a version that some machines run until the end, as during an upgrade */
  constructor(script: InstanceScript, seed: number, old?: InstanceScript) {
    const world = new AwsWorld({
      seed,
      start: START,
      requestTimeout: 2_000,
      keepsCalls: false,
      countsUnits: false,
      lag: (of) => lagOf(of, this.#random),
    });
    this.#world = world;
    this.#random = seededRandom(seed ^ 0x5eed);
    world.sqs.isShuffled = true;
    this.#weather = new Weather(seededRandom(seed ^ 0xfa17), () => world.clock.now().getTime());
    world.faults = (call) => this.#weather.faults(call);
    this.#secrets = new ShownSecrets(this.#weather, this.#violate);
    this.#keys = new StoredKeys(world.clock, this.#weather, this.#violate);
    const accountOf: AccountOf = (provider, key, job) =>
      this.#keys.used(provider, key, job === undefined ? undefined : this.#rows.jobs.get(job));
    const chance = seededRandom(seed ^ 0xa1);
    this.#providers = new Providers(world.clock, this.#weather, chance, accountOf, this.#violate);
    this.#receivers = new Receivers(world.clock, this.#weather, (delivery) => {
      told.judge(delivery);
      this.#secrets.judge(delivery);
    });
    const hasWires = seededRandom(seed ^ 0xca11)() < 0.3;
    this.#wires = new VendorWires(this.#providers, (request) => this.#jobNamedIn(request));
    this.#cloud = new Cloud(world, {
      version: (name) => {
        const isOld = !this.#isUpgraded && old?.names.has(name) === true && this.#random() < 0.5;
        return isOld ? old : script;
      },
      skew: this.#weather.skew,
      keeps: () => this.#random() < 0.9,
      print: (text) => this.#read(text),
      onFailure: (error) => this.#judgeFailure(error),
      outside: (process) => ({
        provider: (name, errors) =>
          isWired(name) && hasWires ? undefined : this.#providers.reachedBy(process, errors)(name),
        fetch: (input, init) => this.#fetch(process, String(input), init ?? {}),
      }),
    });
    this.#gateway = new Gateway(this.#cloud, this.#weather, this.#violate);
    this.#model = new Model(this.#violate);
    const around = { providers: this.#providers, weather: this.#weather, due: this.#due };
    const wordOf = (id: string) => this.#tenants.find((tenant) => tenant.id === id)?.word;
    this.#workspaces = new WatchedWorkspaces(world, this.#cloud.stage, { ...around, wordOf }, this.#violate);
    const workspaces = this.#workspaces;
    const { removed } = workspaces;
    this.#files = new WatchedFiles(world, this.#cloud.stage, { due: this.#due, removed }, this.#violate);
    this.#rows = new WatchedRows(world, this.#cloud.stage, { ...around, workspaces }, this.#violate);
    const judged = { weather: this.#weather, accounts: this.#rows.accounts, removed, clock: world.clock };
    this.#guardrails = new Guardrails(judged, this.#violate);
    this.#rows.judges.push(this.#keys.judge, this.#guardrails.judge);
    const told = new ToldEvents(this.#rows.jobs, this.#violate);
    this.#operators = new Operators(this.#cloud, this.#weather, this.#rows);
  }

  async run({ commands, slow }: History): Promise<Outcome> {
    const { clock } = this.#world;
    // The SDK reads these files once, in real time.
    await loadSharedConfigFiles();
    const opened = await openStage(this.#cloud, this.#gateway, this.#world, this.#random);
    const clients = new Clients(this.#gateway, this.#model, {
      ...opened,
      begun: START,
      closedKeys: this.#rows.closedKeys,
      secrets: this.#secrets,
      clock,
    });
    const tenancy = this.#tenancyOf(opened);
    const { weather, files } = { weather: this.#weather, files: this.#files };
    const fileClients = new FileClients(this.#gateway, { ...opened, files, weather, clock }, this.#violate);
    const { tenants } = opened;
    await storeFirstKeys(this.#keys, tenants, clients.manage, this.#random);
    startConsumers(this.#cloud, () => this.#weather.queueDelay, slow !== undefined);
    void sweepEachMinute(
      this.#cloud,
      (table) => this.#due.isAnyBefore(table, clock.now().getTime() - MINUTE),
      () => this.#random() < 0.05,
    );
    this.#weather.slowDown(slow);
    const asked: Promise<unknown>[] = [];
    for (const command of commands) {
      if (this.#violations.length > 0) break;
      await clock.wait(command.after);
      this.#counts[command.do] = (this.#counts[command.do] ?? 0) + 1;
      const placed = tenancy.of(command);
      asked.push(clients.obey(placed), fileClients.obey(placed));
      asked.push(tenancy.obey(command), this.#operators.obey(command));
      asked.push(this.#keys.obey(placed, tenants, clients.manage));
      asked.push(this.#guardrails.obey(placed, tenants, clients.manage));
    }
    if (this.#violations.length === 0) {
      await Promise.all(asked);
      await this.#comeToRest({ clients, fileClients, tenancy });
      if (slow !== undefined) this.#judgeWaits();
    }
    this.#rows.check();
    this.#cloud.stop();
    return { violations: this.#violations, counts: this.#summary() };
  }

  #tenancyOf(opened: OpenedStage): Tenancy {
    this.#tenants = opened.tenants;
    const meet = ({ id, secrets }: Tenant) => {
      for (const secret of secrets) this.#receivers.secrets.push({ workspace: id, secret });
    };
    opened.tenants.forEach(meet);
    const { closedKeys } = this.#rows;
    const { clock } = this.#world;
    const around = { ...opened, workspaces: this.#workspaces, closedKeys, clock, onTenant: meet };
    return new Tenancy(this.#gateway, around, this.#violate);
  }

  #judgeWaits(): void {
    const own = [...this.#rows.jobs.values()].filter(
      ({ workspace_id }) => workspace_id === this.#tenants[ALONE]?.id,
    );
    for (const job of own)
      judgeWaits(job, this.#providers.worksOf(job.id), this.#receivers.deliveries, this.#violate);
  }

  readonly #violate = (invariant: string, what: string): void => {
    const seconds = (this.#world.clock.now().getTime() - START.getTime()) / 1000;
    this.#violations.push(`${invariant} at ${seconds} s: ${what}`);
  };

  /** A failed message or row does not fail the whole function. Only its machine may end a function. */
  #judgeFailure(error: unknown): undefined {
    if (error instanceof InvocationFailed || this.#weather.isBad) return;
    this.#violate('I11', `a function throws: ${error instanceof Error ? error.stack : error}`);
  }

  #read(printed: string): void {
    const [, contradictions] = /"Contradictions":(\d+)/.exec(printed) ?? [];
    this.#contradictions += Number(contradictions ?? 0);
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
      'AWS calls': this.#world.journal.count,
      'workspaces purged': this.#workspaces.purged.size,
      deliveries: this.#receivers.deliveries.length,
      'jobs at providers': this.#providers.works.length,
    };
  }

  /** Every prompt names its order, which becomes one job at most. */
  #jobNamedIn(request: string): string | undefined {
    const order = /Order (\d+) of/.exec(request)?.[1];
    return [...this.#rows.jobs.values()].find(({ metadata }) => metadata?.order === order)?.id;
  }

  async #fetch(process: Process, address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address);
    await this.#world.clock.wait(50 + 100 * this.#random());
    const ofVendor = this.#providers.answers(url, init.signal) ?? this.#wires.answer(process, url, init);
    return ofVendor ?? this.#receivers.answer(url, init);
  }

  /** From here on nothing fails any more, and everything that was promised must happen. */
  async #comeToRest({ clients, fileClients, tenancy }: Callers): Promise<void> {
    const { clock } = this.#world;
    this.#weather.clear();
    this.#isUpgraded = true;
    this.#cloud.replaceAll();
    const calm = clock.now().getTime();
    await this.#until(() => {
      if (clock.now().getTime() > calm + LONGEST_DELIVERY) this.#violate('I5', 'events wait for ever');
      const now = clock.now().getTime();
      const open = [...this.#rows.jobs.values()].filter(({ phase }) => phase !== 'settled');
      for (const job of open) {
        if (now > Math.max(job.deadline_at, calm) + PATIENCE)
          this.#violate('I1', `${job.id} is ${job.phase} after ${now - job.deadline_at} ms`);
      }
      return open.length === 0 && [...this.#rows.events.values()].every(({ status }) => status !== 'pending');
    });
    await clock.wait(LONGEST_LAG);
    await tenancy.leave();
    await this.#until(() => this.#isSwept(clock.now().getTime()));
    if (this.#violations.length > 0) return;
    await this.#judgeEnd(clients);
    await fileClients.judgeEnd();
    this.#workspaces.judgeEnd();
  }

  /** Files and workspaces that have ended are gone, or will be in time. */
  #isSwept(now: number): boolean {
    const patience = PATIENCE + (this.#weather.hadWrongClocks ? 2 * HOUR : 0);
    const { stage } = this.#cloud;
    const waiting = ['Files-Table', 'Workspaces'].flatMap((table) => this.#due.of(stage.name(table)));
    for (const [id, due] of waiting)
      if (now > due + patience)
        this.#violate('I13', `${id} has ended ${now - due} ms ago, and is still there`);
    return waiting.length === 0;
  }

  async #until(isOver: () => boolean): Promise<void> {
    while (this.#violations.length === 0 && (!isOver() || this.#cloud.underWay > 0))
      await this.#world.clock.wait(MINUTE);
  }

  async #judgeEnd(clients: Clients): Promise<void> {
    for (const job of this.#model.jobs) await clients.get(job);
    for (const job of this.#rows.jobs.values()) {
      const event = this.#rows.events.get(eventIdOf(job.id));
      const received = this.#receivers.deliveries.filter(
        ({ id, status }) => id === event?.id && status < 300,
      );
      if (event?.status === 'delivered' && received.length === 0)
        this.#violate('I5', `${event.id} is delivered, but no receiver has it`);
    }
    const orders = Map.groupBy(this.#rows.jobs.values(), ({ metadata }) => metadata?.order ?? '');
    for (const [order, jobs] of orders) this.#model.counted(order, jobs.length);
    const strangers = this.#providers.works.filter(({ jobId }) => !this.#rows.jobs.has(jobId));
    if (strangers.length > 0)
      this.#violate('I2', `providers have work without a job: ${strangers.map(({ jobId }) => jobId)}`);
    this.#contradictions = 0;
    await this.#cloud.invoke('reconcile-rows');
    if (this.#contradictions > 0)
      this.#violate('I4', `the reconciler finds ${this.#contradictions} contradictions`);
  }
}
