import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SqsFairQueue } from '../../../functions/aws/fair-queue.ts';
import { type Account, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountBook } from '../../../functions/money/account-book.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { micros } from '../../../functions/money/micros.ts';
import { OverdueRows, sweepOverdue } from '../../../functions/sweeping/sweep.ts';
import { dueRowSchema, SweptRows } from '../../../functions/sweeping/swept-rows.ts';
import { bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { acceptJob } from '../../../functions/videos/jobs/accept-job.ts';
import type { Job, JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { type JobMessage, queueByPhase } from '../../../functions/videos/jobs/job-queue.ts';
import { JobSteps } from '../../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { Quarantine, QuarantinedJobs } from '../../../functions/videos/jobs/quarantine.ts';
import {
  GRACE_MILLISECONDS,
  JOB_ROWS,
  type SweepJobPorts,
  sweepJob,
} from '../../../functions/videos/jobs/sweep-job.ts';
import type { VideoProvider } from '../../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import type { CancelPorts } from '../../../functions/videos/worker/cancel-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import {
  type CopyPorts,
  type TakeMessagePorts,
  takeMessage,
} from '../../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../../functions/videos/worker/provider-gate.ts';
import { EventStore } from '../../../functions/webhooks/events/event-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

const MINUTE = 60_000;

/** The sweeper and the pollers with their tables and queues, as deployed, on a separate clock. */
export class SweptStage {
  /** How many milliseconds indexes and inconsistent reads lag behind. */
  lag = (): number => 0;
  readonly world = new AwsWorld({ start: START, lag: () => this.lag() });
  readonly #stage = new DeployedStage(this.world);
  readonly #aws = this.world.startProcess();
  /** A client for the test itself. */
  readonly dynamo = this.#aws.dynamo;
  readonly tables = {
    jobs: this.#stage.name('Videos-Jobs'),
    events: this.#stage.name('Webhooks-Events'),
    accounts: this.#stage.name('Accounts'),
  };
  readonly #queueUrl = this.#stage.name('Videos-Queue');
  readonly #copiesUrl = this.#stage.name('Videos-Copies');
  readonly #queue = new SqsFairQueue<JobMessage>(this.#aws.sqs, this.#queueUrl);
  readonly #accounts = new AccountStore(this.#aws.dynamo, this.tables.accounts);
  readonly log: string[] = [];
  /** The ids of jobs, in the order in which workers received them. */
  readonly received: string[] = [];
  /** Whether workers handle the messages. */
  hasPollers = true;
  readonly jobs = new JobStore(this.#aws.dynamo, this.tables.jobs, () => undefined);
  readonly quarantine = new QuarantinedJobs(this.#aws.dynamo, this.tables);
  readonly #stores = {
    jobs: this.jobs,
    events: new EventStore(this.#aws.dynamo, this.tables.events),
    accounts: this.#accounts,
  };
  /** How often a job was quarantined. */
  quarantined = 0;
  readonly ports: TakeMessagePorts & CopyPorts & CancelPorts & SweepJobPorts;
  #steps = 0;

  constructor(provider: VideoProvider) {
    const { now } = this.world.clock;
    const note = (message: string) => void this.log.push(message);
    const log = { info: note, warn: note, error: note };
    this.ports = {
      jobs: this.jobs,
      steps: new JobSteps(this.#aws.dynamo, this.#stores),
      sweptRows: new SweptRows(this.#aws.dynamo, this.tables.jobs, JOB_ROWS),
      quarantine: new Quarantine(this.#aws.dynamo, this.#stores, log),
      countQuarantined: () => void this.quarantined++,
      queueOf: queueByPhase(this.#queue, new SqsFairQueue<JobMessage>(this.#aws.sqs, this.#copiesUrl)),
      eventQueue: new SqsFairQueue(this.#aws.sqs, this.#stage.name('Webhooks-Queue')),
      results: { save: async (key) => ({ key, size_bytes: 1, sha256: 'digest' }) },
      keptDays: async () => 30,
      catalogue: async () => bundledCatalogue,
      provider: () => provider,
      providerContext: async () => ({
        settings: { credential: 'none' },
        inputs: { link: unread, read: unread },
        fetch: unread,
        now,
        signal: new AbortController().signal,
      }),
      downloadContext: (name, job) => this.ports.providerContext(name, job),
      gate: new ProviderGate({ now, log }),
      now,
      random: () => 0,
      newStepName: () => `step-${this.#steps++}`,
      pause: this.world.clock.wait,
      noteEnd: () => undefined,
      countUnderpriced: () => undefined,
      countRefusedKey: () => undefined,
      countSettled: () => undefined,
      log,
    };
  }

  /** Accepts a job with its money and first message. Afterwards some fields are changed. */
  async accept(
    number: number,
    change: Record<string, unknown> = {},
    begins: Partial<JobWithRequest> = {},
  ): Promise<Job> {
    const job = aJob({
      id: `vid_${String(number).padStart(26, '0')}`,
      key_hash: `key-${number}`,
      workspace_id: `ws-${number}`,
      estimate_micros: micros(40_000),
      ...begins,
    });
    const accepted = await this.admit(job);
    await this.change(job.id, change);
    return accepted;
  }

  /** Accepts any job with its money and first message. */
  async admit(job: JobWithRequest): Promise<Job> {
    const now = this.ports.now;
    const accepted = await acceptJob(
      job,
      {},
      {
        client: this.#aws.dynamo,
        jobs: this.jobs,
        accounts: this.#accounts,
        book: new AccountBook(this.#accounts, now),
        now,
      },
    );
    await this.#queue.send({ v: 1, job_id: job.id, seq: 0 }, job.workspace_id, 0);
    return accepted;
  }

  /** Changes fields of a job's row. `undefined` removes a field. */
  async change(id: string, fields: Record<string, unknown>): Promise<void> {
    const row = { ...(await this.row(id)), ...fields };
    await this.#aws.dynamo.send(new PutCommand({ TableName: this.tables.jobs, Item: row }));
  }

  name(path: string): string {
    return this.#stage.name(path);
  }

  async row(id: string): Promise<Record<string, unknown>> {
    const get = new GetCommand({ TableName: this.tables.jobs, Key: { id }, ConsistentRead: true });
    return (await this.#aws.dynamo.send(get)).Item ?? {};
  }

  /** The cost of all writes to the jobs table so far. */
  get writeUnits(): number {
    return this.world.dynamodb.table(this.tables.jobs).writeUnits;
  }

  async eventTypes(jobId: string): Promise<unknown[]> {
    const { Items = [] } = await this.#aws.dynamo.send(new ScanCommand({ TableName: this.tables.events }));
    return Items.filter(({ job_id }) => job_id === jobId).map(({ type }) => type);
  }

  async loseAccount(account: string): Promise<void> {
    await this.#aws.dynamo.send(new DeleteCommand({ TableName: this.tables.accounts, Key: { account } }));
  }

  async changeAccount(account: string, name: string, value: unknown): Promise<void> {
    await this.#aws.dynamo.send(
      new UpdateCommand({
        TableName: this.tables.accounts,
        Key: { account },
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  }

  async accountRow(account: string): Promise<Record<string, unknown>> {
    const get = new GetCommand({ TableName: this.tables.accounts, Key: { account }, ConsistentRead: true });
    return (await this.#aws.dynamo.send(get)).Item ?? {};
  }

  accountsOf({ key_hash, workspace_id }: Job): Promise<Account[]> {
    return this.#accounts.read([keyAccount(key_hash), workspaceAccount(workspace_id)]);
  }

  /** The number of messages in the queue, visible or not. */
  async messages(): Promise<number> {
    const { Attributes = {} } = await this.#aws.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#queueUrl, AttributeNames: ['All'] }),
    );
    const names = ['', 'NotVisible', 'Delayed'].map((suffix) => `ApproximateNumberOfMessages${suffix}`);
    return names.reduce((sum, name) => sum + Number(Reflect.get(Attributes, name)), 0);
  }

  async loseMessages(): Promise<void> {
    await this.#aws.sqs.send(new PurgeQueueCommand({ QueueUrl: this.#queueUrl }));
  }

  /** Each minute sweeps, and then handles the messages. */
  async run(minutes: number, eachMinute: () => Promise<void> = async () => undefined): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      await this.world.clock.wait(MINUTE);
      await this.sweep();
      await eachMinute();
      if (this.hasPollers) await this.#workOff();
    }
  }

  /** Runs until this many minutes after a job's deadline. */
  async runToDeadline(job: Job, minutesAfter: number, eachMinute?: () => Promise<void>): Promise<void> {
    const left = job.deadline_at - this.ports.now().getTime();
    await this.run(Math.floor(left / MINUTE) + minutesAfter, eachMinute);
  }

  async sweep(): Promise<void> {
    const overdue = {
      rows: new OverdueRows(this.#aws.dynamo, this.tables.jobs),
      schema: dueRowSchema,
      graceMilliseconds: GRACE_MILLISECONDS,
    };
    await sweepOverdue(overdue, (job) => sweepJob(job, this.ports), {
      now: this.ports.now,
      tellUnreadable: () => undefined,
      log: this.ports.log,
    });
  }

  async #workOff(): Promise<void> {
    while (
      (await this.#receive(this.#queueUrl, advanceJob)) + (await this.#receive(this.#copiesUrl, copyJob)) >
      0
    );
  }

  async #receive(QueueUrl: string, step: typeof advanceJob | typeof copyJob): Promise<number> {
    const { Messages = [] } = await this.#aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    for (const { Body = '', ReceiptHandle } of Messages) {
      const message: JobMessage = JSON.parse(Body);
      this.received.push(message.job_id);
      const isDone = await takeMessage(message, this.ports, step).then(
        () => true,
        () => false,
      );
      if (!isDone) continue;
      await this.#aws.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
    return Messages.length;
  }
}

const unread = () => Promise.reject(new Error('nothing is read in this world'));

/** A provider that works until the test sets `isDone`. */
export function slowProvider(): VideoProvider & { isDone: boolean } {
  const provider = {
    name: 'scripted',
    resubmit: 'token' as const,
    isDone: false,
    submit: async ({ id }: { id: string }) => ({ ref: { id }, upstreamId: id }),
    poll: async () =>
      provider.isDone
        ? { state: 'succeeded' as const, outputs: [{ kind: 'bytes' as const, body: someBytes() }] }
        : { state: 'running' as const },
  };
  return provider;
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('video');
}
