import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ClockCheck, WrongClock } from '../../functions/aws/consumers.ts';
import { kmsDerivation } from '../../functions/aws/derive-bytes.ts';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { insistently } from '../../functions/aws/retry.ts';
import { workspaceAccount } from '../../functions/money/account.ts';
import { AccountBook } from '../../functions/money/account-book.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { micros } from '../../functions/money/micros.ts';
import { OverdueRows, sweepOverdue } from '../../functions/sweeping/sweep.ts';
import { dueRowSchema, SweptRows, stepOrLeave } from '../../functions/sweeping/swept-rows.ts';
import { bundledCatalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { acceptJob } from '../../functions/videos/jobs/accept-job.ts';
import type { JobWithRequest } from '../../functions/videos/jobs/job.ts';
import { type JobMessage, type QueueOf, queueByPhase } from '../../functions/videos/jobs/job-queue.ts';
import { JobSteps } from '../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { Quarantine } from '../../functions/videos/jobs/quarantine.ts';
import {
  GRACE_MILLISECONDS as JOB_GRACE,
  JOB_ROWS,
  sweepJob,
} from '../../functions/videos/jobs/sweep-job.ts';
import { advanceJob } from '../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../functions/videos/worker/copy-job.ts';
import {
  type CopyPorts,
  type MovingPorts,
  type TakeMessagePorts,
  takeMessage,
} from '../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../functions/videos/worker/provider-gate.ts';
import {
  type DeliverPorts,
  deliverEvent,
  insistentPorts,
} from '../../functions/webhooks/delivery/deliver-event.ts';
import { type WebhookPorts, webhookDestinations } from '../../functions/webhooks/delivery/destination.ts';
import { StreakStore } from '../../functions/webhooks/delivery/host-health.ts';
import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { EVENT_ROWS } from '../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import {
  GRACE_MILLISECONDS as EVENT_GRACE,
  EventQuarantine,
  sweepEvent,
} from '../../functions/webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import { derivedSecrets } from '../../functions/webhooks/signature.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import type { AwsWorld, Process } from '../engines/index.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import type { RememberingProvider } from './remembering-provider.ts';

/** The functions whose calls may fail, and their Lambda timeouts. */
const TIMEOUTS = { poller: 60_000, copier: 900_000, deliverer: 40_000 };
type Program = keyof typeof TIMEOUTS;

const SECOND = 1_000;

/** The time between two looks at the queues, after the first minute. */
export const LATE_LOOK_SECONDS = 15;

/** The machines that run the functions, and the error of each clock in milliseconds. */
export interface Machines {
  /** The machine for the next message. */
  readonly pick: () => number;
  readonly skew: (program: Program | 'sweeper', machine: number) => number;
}
const ONE_MACHINE: Machines = { pick: () => 0, skew: () => 0 };

/** A message that was handed out. */
interface Received {
  readonly program: Program;
  /** The step of the job in the message. */
  readonly step: number;
  readonly second: number;
  readonly isTaken: boolean;
}

interface Instance {
  readonly process: Process;
  readonly now: () => Date;
  readonly clock: ClockCheck;
  readonly take: (body: string) => Promise<void>;
}

/** One job on the engines, from its first message to its webhook, with all functions that work on it. */
export class FaultyStage {
  readonly job: JobWithRequest;
  /** The time of each webhook, in seconds from the start, and its id. */
  readonly webhooks: { readonly second: number; readonly id: string }[] = [];
  endedAt: number | undefined;
  /**
   * When each message was handed out, in seconds from the start, and whether the function accepted it or refused it
   * because of a wrong clock.
   */
  readonly received: Received[] = [];
  /** How many functions a crash or timeout has ended. */
  deaths = 0;
  readonly #world: AwsWorld;
  readonly #stage: DeployedStage;
  readonly #provider: RememberingProvider;
  readonly #observer;
  readonly #start: number;
  readonly #machines: Machines;
  readonly #instances = new Map<string, Instance>();
  #steps = 0;

  private constructor(
    world: AwsWorld,
    provider: RememberingProvider,
    job: JobWithRequest,
    machines: Machines,
  ) {
    this.#machines = machines;
    this.#world = world;
    this.#provider = provider;
    this.job = job;
    this.#stage = new DeployedStage(world);
    this.#observer = world.startProcess('observer');
    this.#start = world.clock.now().getTime();
  }

  /** Opens a stage with an accepted job and its first message. */
  static async open(
    world: AwsWorld,
    provider: RememberingProvider,
    machines: Machines = ONE_MACHINE,
  ): Promise<FaultyStage> {
    const stage = new FaultyStage(world, provider, aJob({ estimate_micros: micros(40_000) }), machines);
    const { dynamo, sqs } = stage.#observer;
    const { now } = world.clock;
    const { jobs, accounts } = stage.#stores(dynamo);
    const book = new AccountBook(accounts, now);
    await acceptJob(stage.job, {}, { client: dynamo, jobs, accounts, book, now });
    const { id, workspace_id } = stage.job;
    await stage.#queueOf(sqs)('queued').send({ v: 1, job_id: id, seq: 0 }, workspace_id, 0);
    return stage;
  }

  /** Runs until the job's webhook has been delivered, for at most some hours. */
  async run({ sweeps, hours = 1 }: { readonly sweeps: boolean; readonly hours?: number }): Promise<void> {
    const { clock } = this.#world;
    let nextSweep = clock.now().getTime() + 60 * SECOND;
    while (this.#seconds() < hours * 3_600 && this.webhooks.length === 0) {
      // After the first minute only late messages are left, so the looks are rarer.
      await clock.wait((this.#seconds() < 60 ? 1 : LATE_LOOK_SECONDS) * SECOND);
      await this.#consumeAll();
      if (sweeps && clock.now().getTime() >= nextSweep) {
        nextSweep += 60 * SECOND;
        await this.#sweep();
      }
    }
    // Late messages may still arrive. They must not change anything.
    await clock.wait(20 * 60 * SECOND);
    if (sweeps) await this.#sweep();
    await this.#consumeAll();
  }

  async row(): Promise<Record<string, unknown>> {
    const Key = { id: this.job.id };
    const get = new GetCommand({ TableName: this.#stage.name('Videos-Jobs'), Key, ConsistentRead: true });
    return (await this.#observer.dynamo.send(get)).Item ?? {};
  }

  async account(): Promise<Record<string, unknown>> {
    const Key = { account: workspaceAccount(this.job.workspace_id) };
    const get = new GetCommand({ TableName: this.#stage.name('Accounts'), Key, ConsistentRead: true });
    return (await this.#observer.dynamo.send(get)).Item ?? {};
  }

  async events(): Promise<unknown[]> {
    const scan = new ScanCommand({ TableName: this.#stage.name('Webhooks-Events') });
    const { Items = [] } = await this.#observer.dynamo.send(scan);
    return Items.map(({ type, status }) => `${type} ${status}`);
  }

  #stores(client: ReturnType<AwsWorld['startProcess']>['dynamo']) {
    return {
      jobs: new JobStore(client, this.#stage.name('Videos-Jobs'), () => undefined),
      events: new EventStore(client, this.#stage.name('Webhooks-Events')),
      accounts: new AccountStore(client, this.#stage.name('Accounts')),
    };
  }

  #queueOf = (sqs: SQSClient): QueueOf =>
    queueByPhase(
      new SqsFairQueue(sqs, this.#stage.name('Videos-Queue')),
      new SqsFairQueue(sqs, this.#stage.name('Videos-Copies')),
    );

  #eventQueue = (sqs: SQSClient): DeliverPorts['queue'] =>
    new SqsFairQueue(sqs, this.#stage.name('Webhooks-Queue'));

  startWorker(name: 'poller' | 'copier', now: () => Date) {
    const aws = this.#world.startProcess(name);
    const { wait } = this.#world.clock;
    const stores = this.#stores(aws.dynamo);
    const providerContext: MovingPorts['providerContext'] = async () => ({
      settings: { credential: 'none' },
      inputs: { link: unread, read: unread },
      fetch: unread,
      now,
      signal: new AbortController().signal,
    });
    const ports: TakeMessagePorts & CopyPorts = {
      jobs: stores.jobs,
      steps: new JobSteps(aws.dynamo, stores),
      sweptRows: new SweptRows(aws.dynamo, this.#stage.name('Videos-Jobs'), JOB_ROWS),
      queueOf: this.#queueOf(aws.sqs),
      eventQueue: this.#eventQueue(aws.sqs),
      results: {
        save: async (Key, body) => {
          const Body = Buffer.concat(await Array.fromAsync(body));
          const Bucket = this.#stage.name('Videos-Results');
          await aws.s3.send(new PutObjectCommand({ Bucket, Key, Body }));
          return { key: Key, size_bytes: Body.length, sha256: 'digest' };
        },
      },
      keptDays: async () => 30,
      catalogue: async () => bundledCatalogue,
      noteEnd: () => undefined,
      provider: () => this.#provider,
      providerContext,
      downloadContext: providerContext,
      gate: new ProviderGate({ now, log: SILENT }),
      now,
      random: () => 0,
      newStepName: () => `step-${this.#steps++}`,
      pause: wait,
      countUnderpriced: () => undefined,
      countRefusedKey: () => undefined,
      countSettled: () => {
        this.endedAt = this.#seconds();
      },
      log: SILENT,
    };
    const take = (body: string) =>
      name === 'poller'
        ? takeMessage(JSON.parse(body), ports, advanceJob)
        : takeMessage(JSON.parse(body), ports, copyJob);
    return { process: aws.process, take };
  }

  startDeliverer(now: () => Date) {
    const aws = this.#world.startProcess('deliverer');
    const hosts = this.#stage.name('Webhooks-Hosts');
    let requests = 0;
    const { wait } = this.#world.clock;
    const derive = kmsDerivation(aws.kms, this.#stage.name('Webhooks-SigningKey'));
    const ports: DeliverPorts & WebhookPorts = {
      destinationOf: (event) => webhookDestinations(ports)(event),
      broadcast: async () => undefined,
      events: this.#stores(aws.dynamo).events,
      settings: new WebhookSettingsStore(aws.dynamo, this.#stage.name('Webhooks-Settings')),
      lanes: new LaneStore(aws.dynamo, hosts, { workspace: 5, host: 3 }),
      streaks: new StreakStore(aws.dynamo, hosts),
      secrets: derivedSecrets(insistently(wait)(derive)),
      queue: this.#eventQueue(aws.sqs),
      post: async (_, { id }) => {
        this.webhooks.push({ second: this.#seconds(), id });
        return { status: 200, aborts: false };
      },
      now,
      random: () => 0,
      newRequestId: () => `request-${requests++}`,
      countAttempt: () => undefined,
      log: SILENT,
    };
    const table = this.#stage.name('Webhooks-Events');
    const leaving = { sweptRows: new SweptRows(aws.dynamo, table, EVENT_ROWS), now, log: SILENT };
    const take = (body: string) => {
      const message: EventMessage = JSON.parse(body);
      return stepOrLeave(message.event_id, () => deliverEvent(message, insistentPorts(ports, wait)), leaving);
    };
    return { process: aws.process, take };
  }

  async #consumeAll(): Promise<void> {
    await this.#consume('poller', this.#stage.name('Videos-Queue'));
    await this.#consume('copier', this.#stage.name('Videos-Copies'));
    await this.#consume('deliverer', this.#stage.name('Webhooks-Queue'));
  }

  /** Handles one message like Lambda: the message is deleted if the function succeeds, and comes back otherwise. */
  async #consume(program: Program, QueueUrl: string): Promise<void> {
    const { sqs } = this.#observer;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    await Promise.all(
      Messages.map(async ({ Body = '', Attributes = {}, ReceiptHandle }) => {
        if (await this.#invoke(program, Body, Attributes)) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }),
    );
  }

  async #invoke(program: Program, body: string, stamps: Record<string, string>): Promise<boolean> {
    const { clock } = this.#world;
    const machine = this.#machines.pick();
    const name = `${program} ${machine}`;
    const instance = this.#instances.get(name) ?? this.#startInstance(program, machine);
    const isTaken = isClockRight(instance.clock, stamps, instance.now());
    const { seq: step = 0 } = JSON.parse(body) as Partial<JobMessage>;
    this.received.push({ program, step, second: this.#seconds(), isTaken });
    if (!isTaken) return false;
    const over = new AbortController();
    const died = async () => {
      this.deaths++;
      this.#instances.delete(name);
      return false;
    };
    const timedOut = clock.wait(TIMEOUTS[program], over.signal).then(
      () => {
        instance.process.crash(this.#world.journal.calls.at(-1)!);
        return died();
      },
      () => false,
    );
    const done = instance.take(body).then(
      () => true,
      () => false,
    );
    const isDone = await Promise.race([done, instance.process.crashed.then(died), timedOut]);
    over.abort();
    return isDone;
  }

  #startInstance(program: Program, machine: number) {
    const now = this.#clockOf(program, machine);
    const started = program === 'deliverer' ? this.startDeliverer(now) : this.startWorker(program, now);
    const instance = { ...started, now, clock: new ClockCheck() };
    this.#instances.set(`${program} ${machine}`, instance);
    return instance;
  }

  #clockOf(program: Program | 'sweeper', machine: number): () => Date {
    const skew = this.#machines.skew(program, machine);
    return () => new Date(this.#world.clock.now().getTime() + skew);
  }

  async #sweep(): Promise<void> {
    const { dynamo, sqs } = this.#observer;
    const now = this.#clockOf('sweeper', 0);
    const { events, ...stores } = this.#stores(dynamo);
    const sweeping = { now, tellUnreadable: () => undefined, log: SILENT };
    const jobsTable = this.#stage.name('Videos-Jobs');
    const ofJobs = {
      sweptRows: new SweptRows(dynamo, jobsTable, JOB_ROWS),
      quarantine: new Quarantine(dynamo, { ...stores, events }, SILENT),
      countQuarantined: () => undefined,
      queueOf: this.#queueOf(sqs),
      now,
      log: SILENT,
    };
    const jobs = {
      rows: new OverdueRows(dynamo, jobsTable),
      schema: dueRowSchema,
      graceMilliseconds: JOB_GRACE,
    };
    await sweepOverdue(jobs, (job) => sweepJob(job, ofJobs), sweeping);
    const table = this.#stage.name('Webhooks-Events');
    const ofEvents = {
      sweptRows: new SweptRows(dynamo, table, EVENT_ROWS),
      quarantine: new EventQuarantine(dynamo, table),
      countQuarantined: () => undefined,
      queue: this.#eventQueue(sqs),
      now,
      log: SILENT,
    };
    const rows = new OverdueRows(dynamo, table);
    const due = { rows, schema: dueRowSchema, graceMilliseconds: EVENT_GRACE };
    await sweepOverdue(due, (event) => sweepEvent(event, ofEvents), sweeping);
  }

  #seconds = (): number => (this.#world.clock.now().getTime() - this.#start) / SECOND;
}

function isClockRight(clock: ClockCheck, stamps: Record<string, string>, now: Date): boolean {
  const { ApproximateReceiveCount = '', ApproximateFirstReceiveTimestamp = '' } = stamps;
  try {
    clock.assert({ ApproximateReceiveCount, ApproximateFirstReceiveTimestamp }, now);
    return true;
  } catch (error) {
    if (!(error instanceof WrongClock)) throw error;
    return false;
  }
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const unread = () => Promise.reject(new Error('nothing is read in this world'));
