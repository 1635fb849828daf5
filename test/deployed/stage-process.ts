import { DeleteMessageCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as v from 'valibot';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { AccountBook } from '../../functions/money/account-book.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { OverdueRows, sweepOverdue } from '../../functions/sweeping/sweep.ts';
import { dueRowSchema, type LeavePorts, SweptRows } from '../../functions/sweeping/swept-rows.ts';
import { bundledCatalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { acceptJob } from '../../functions/videos/jobs/accept-job.ts';
import type { Job, JobWithRequest } from '../../functions/videos/jobs/job.ts';
import { type JobMessage, queueByPhase } from '../../functions/videos/jobs/job-queue.ts';
import { JobSteps } from '../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { Quarantine } from '../../functions/videos/jobs/quarantine.ts';
import {
  GRACE_MILLISECONDS as JOB_GRACE,
  JOB_ROWS,
  type SweepJobPorts,
  sweepJob,
} from '../../functions/videos/jobs/sweep-job.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import type { CancelPorts } from '../../functions/videos/worker/cancel-job.ts';
import type { CopyPorts, TakeMessagePorts } from '../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../functions/videos/worker/provider-gate.ts';
import { ShareStore, type SubmitPorts } from '../../functions/videos/worker/share-store.ts';
import type { DeliverPorts } from '../../functions/webhooks/delivery/deliver-event.ts';
import { StreakStore } from '../../functions/webhooks/delivery/host-health.ts';
import { LaneStore, laneLimits } from '../../functions/webhooks/delivery/lane-store.ts';
import {
  type WebhookPorts,
  webhookDestinations,
} from '../../functions/webhooks/delivery/webhook-destination.ts';
import { EVENT_ROWS, type WebhookEvent } from '../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import {
  GRACE_MILLISECONDS as EVENT_GRACE,
  EventQuarantine,
  type SweepEventPorts,
  sweepEvent,
} from '../../functions/webhooks/events/sweep-event.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import type { AwsWorld, Process } from '../engines/index.ts';
import type { DeployedStage } from './deployed-stage.ts';

export type JobPorts = TakeMessagePorts & SubmitPorts & CopyPorts & CancelPorts & SweepJobPorts;
export type EventPorts = DeliverPorts & WebhookPorts & SweepEventPorts & LeavePorts;

type Row = Record<string, unknown>;

export const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const nothing = () => undefined;
const unread = () => Promise.reject(new Error('nothing is read in this world'));

/** How many names there are. No two processes may give the same one. */
let made = 0;

/** One process of a world, with the stores and queues of a stage, and what its functions for jobs and events need. */
export class StageProcess {
  readonly world: AwsWorld;
  readonly stage: DeployedStage;
  readonly aws: ReturnType<AwsWorld['startProcess']>;
  readonly tables: { readonly jobs: string; readonly events: string; readonly accounts: string };
  readonly queues: { readonly jobs: string; readonly copies: string; readonly events: string };
  readonly jobs: JobStore;
  readonly events: EventStore;
  readonly accounts: AccountStore;
  /** The time by this process's clock. */
  readonly now: () => Date;

  constructor(world: AwsWorld, stage: DeployedStage, name = 'main', now = world.clock.now) {
    this.world = world;
    this.stage = stage;
    this.aws = world.startProcess(name);
    this.now = now;
    this.tables = {
      jobs: stage.name('Videos-Jobs'),
      events: stage.name('Webhooks-Events'),
      accounts: stage.name('Accounts'),
    };
    this.queues = {
      jobs: stage.name('Videos-Queue'),
      copies: stage.name('Videos-Copies'),
      events: stage.name('Webhooks-Queue'),
    };
    const { dynamo } = this.aws;
    this.jobs = new JobStore(dynamo, this.tables.jobs, nothing);
    this.events = new EventStore(dynamo, this.tables.events);
    this.accounts = new AccountStore(dynamo, this.tables.accounts);
  }

  #queue = <Body extends object>(url: string) => new SqsFairQueue<Body>(this.aws.sqs, url);

  /** What the functions of jobs need, with some of it replaced. */
  jobPorts(provider: VideoProvider, own: Partial<JobPorts> = {}): JobPorts {
    const { log = SILENT } = own;
    const { dynamo } = this.aws;
    const stores = { jobs: this.jobs, events: this.events, accounts: this.accounts };
    // One worker submits and polls.
    const submits = this.#queue<JobMessage>(this.queues.jobs);
    const ports: JobPorts = {
      jobs: this.jobs,
      steps: new JobSteps(dynamo, stores),
      sweptRows: new SweptRows(dynamo, this.tables.jobs, JOB_ROWS),
      quarantine: new Quarantine(dynamo, stores, log),
      countQuarantined: nothing,
      queueOf: queueByPhase({ submits, polls: submits, copies: this.#queue(this.queues.copies) }),
      eventQueue: this.#queue(this.queues.events),
      results: {
        save: async (key) => ({ key, size_bytes: 1, sha256: 'digest' }),
        remove: async () => undefined,
      },
      keptDays: async () => 30,
      catalogue: async () => bundledCatalogue,
      provider: () => provider,
      providerContext: async () => ({
        settings: { credential: 'none' },
        inputs: { link: unread, read: unread },
        fetch: unread,
        now: this.now,
        signal: new AbortController().signal,
      }),
      downloadContext: (name, job) => ports.providerContext(name, job),
      gate: new ProviderGate({ now: this.now, log }),
      now: this.now,
      random: () => 0,
      newStepName: () => `step-${made++}`,
      pause: this.world.clock.wait,
      shares: new ShareStore(dynamo, this.stage.name('Videos-Shares')),
      submitters: 5,
      copiers: 5,
      after: () => nothing,
      noteEnd: nothing,
      countUnderpriced: nothing,
      countRefusedKey: nothing,
      countSettled: nothing,
      log,
      ...own,
    };
    return ports;
  }

  /** What the functions of events need, with some of it replaced. */
  eventPorts(post: WebhookPorts['post'], own: Partial<EventPorts> = {}): EventPorts {
    const { dynamo } = this.aws;
    const hosts = this.stage.name('Webhooks-Hosts');
    const ports: EventPorts = {
      destinationOf: (event) => webhookDestinations(ports)(event),
      broadcast: async () => undefined,
      events: this.events,
      sweptRows: new SweptRows(dynamo, this.tables.events, EVENT_ROWS),
      quarantine: new EventQuarantine(dynamo, this.tables.events),
      countQuarantined: nothing,
      settings: new WebhookSettingsStore(dynamo, this.stage.name('Webhooks-Settings')),
      lanes: new LaneStore(dynamo, hosts, laneLimits(60)),
      streaks: new StreakStore(dynamo, hosts),
      secrets: { active: async () => [new Uint8Array(32)] },
      queue: this.#queue(this.queues.events),
      post,
      now: this.now,
      random: () => 0,
      newRequestId: () => `request-${made++}`,
      countAttempt: nothing,
      log: SILENT,
      ...own,
    };
    return ports;
  }

  /** Accepts a job with its money and first message. */
  async accept(job: JobWithRequest): Promise<Job> {
    const { jobs, accounts, now } = this;
    const book = new AccountBook(accounts, now);
    const accepted = await acceptJob(job, {}, { client: this.aws.dynamo, jobs, accounts, book, now });
    const message = { v: 1, job_id: job.id, seq: 0 } as const;
    await this.#queue<JobMessage>(this.queues.jobs).send(message, job.workspace_id, 0);
    return accepted;
  }

  /** Writes an event and sends its message, like the end of a job. */
  async add(event: WebhookEvent): Promise<void> {
    await this.events.create(event);
    const message = { v: 1, event_id: event.id, attempt: 1 } as const;
    await this.#queue<EventMessage>(this.queues.events).send(message, event.workspace_id, 0);
  }

  async row(TableName: string, Key: Row): Promise<Row> {
    const get = new GetCommand({ TableName, Key, ConsistentRead: true });
    return (await this.aws.dynamo.send(get)).Item ?? {};
  }

  /** Changes fields of a row. `undefined` removes a field. */
  async change(TableName: string, Key: Row, fields: Row): Promise<void> {
    const Item = { ...(await this.row(TableName, Key)), ...Key, ...fields };
    await this.aws.dynamo.send(new PutCommand({ TableName, Item }));
  }

  sweepJobs(ports: SweepJobPorts): Promise<void> {
    return this.#sweep(this.tables.jobs, JOB_GRACE, (job) => sweepJob(job, ports), ports);
  }

  sweepEvents(ports: SweepEventPorts): Promise<void> {
    return this.#sweep(this.tables.events, EVENT_GRACE, (event) => sweepEvent(event, ports), ports);
  }

  #sweep(
    table: string,
    graceMilliseconds: number,
    sweep: (row: v.InferOutput<typeof dueRowSchema>) => Promise<void>,
    { log }: Pick<SweepJobPorts, 'log'>,
  ): Promise<void> {
    const rows = { rows: new OverdueRows(this.aws.dynamo, table), schema: dueRowSchema, graceMilliseconds };
    return sweepOverdue(rows, sweep, { now: this.now, tellUnreadable: nothing, log });
  }

  /**
   * Handles up to ten messages of a queue like Lambda: one is deleted if `take` returns true, and comes back otherwise.
   * @returns how many there were
   */
  async consume(QueueUrl: string, take: (message: Message) => Promise<boolean>): Promise<number> {
    const { sqs } = this.aws;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }),
    );
    const handle = async (message: Message) => {
      const { ReceiptHandle } = message;
      if (await take(message)) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    };
    await Promise.all(Messages.map(handle));
    return Messages.length;
  }

  /** Runs a function of another process like Lambda, which ends it after its time-out. */
  async invoke(
    process: Process,
    milliseconds: number,
    work: Promise<unknown>,
  ): Promise<'done' | 'failed' | 'died'> {
    const over = new AbortController();
    const done = work.then(
      () => 'done' as const,
      () => 'failed' as const,
    );
    const died = process.crashed.then(() => 'died' as const);
    const timedOut = this.world.clock.wait(milliseconds, over.signal).then(
      () => process.crash(),
      () => undefined,
    );
    const ending = await Promise.race([done, died, timedOut.then(() => 'died' as const)]);
    over.abort();
    return ending;
  }
}
