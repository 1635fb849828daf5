import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { workspaceAccount } from '../../functions/money/account.ts';
import { AccountBook } from '../../functions/money/account-book.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { sweepOverdue } from '../../functions/sweeping/overdue.ts';
import { OverdueRows } from '../../functions/sweeping/overdue-rows.ts';
import { bundledCatalogue } from '../../functions/videos/catalogue/catalogue.ts';
import { acceptJob } from '../../functions/videos/jobs/accept-job.ts';
import type { JobWithRequest } from '../../functions/videos/jobs/job.ts';
import { type QueueOf, queueByPhase } from '../../functions/videos/jobs/job-queue.ts';
import { JobSteps } from '../../functions/videos/jobs/job-steps.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { OverdueJobs } from '../../functions/videos/jobs/overdue-jobs.ts';
import { Quarantine } from '../../functions/videos/jobs/quarantine.ts';
import {
  GRACE_MILLISECONDS as JOB_GRACE,
  overdueIdSchema,
  sweepJob,
} from '../../functions/videos/jobs/sweep-job.ts';
import { advanceJob } from '../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../functions/videos/worker/copy-job.ts';
import type { AdvancePorts, CopyPorts, MovingPorts } from '../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../functions/videos/worker/provider-gate.ts';
import { type TakeMessagePorts, takeMessage } from '../../functions/videos/worker/take-message.ts';
import { type DeliverPorts, deliverEvent } from '../../functions/webhooks/delivery/deliver-event.ts';
import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { StreakStore } from '../../functions/webhooks/delivery/streak-store.ts';
import { EventStore } from '../../functions/webhooks/events/event-store.ts';
import {
  dueEventSchema,
  GRACE_MILLISECONDS as EVENT_GRACE,
  sweepEvent,
} from '../../functions/webhooks/events/sweep-event.ts';
import { kmsDerivation } from '../../functions/webhooks/settings/derive-bytes.ts';
import { derivedSecrets } from '../../functions/webhooks/settings/signing-secrets.ts';
import { WebhookSettingsStore } from '../../functions/webhooks/settings/webhook-settings.ts';
import type { AwsWorld } from '../engines/aws-world.ts';
import { DeployedStage } from '../engines/deployed/deployed-stage.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import type { RememberingProvider } from './remembering-provider.ts';

/** What Lambda gives the functions, and the programs whose calls may fail. */
const TIMEOUTS = { poller: 60_000, copier: 900_000, deliverer: 40_000 };
type Program = keyof typeof TIMEOUTS;

const SECOND = 1_000;

/** One job on the engines, from its first message to its webhook, with whoever works on it. */
export class FaultyStage {
  readonly job: JobWithRequest;
  /** When each webhook arrived, in seconds from the start, and under which id. */
  readonly webhooks: { readonly second: number; readonly id: string }[] = [];
  endedAt: number | undefined;
  /** Programs that were ended by a crash or by their time-out. */
  deaths = 0;
  readonly #world: AwsWorld;
  readonly #stage: DeployedStage;
  readonly #provider: RememberingProvider;
  readonly #observer;
  readonly #start: number;
  readonly #instances = new Map<Program, ReturnType<FaultyStage['startWorker' | 'startDeliverer']>>();
  #steps = 0;

  private constructor(world: AwsWorld, provider: RememberingProvider, job: JobWithRequest) {
    this.#world = world;
    this.#provider = provider;
    this.job = job;
    this.#stage = new DeployedStage(world);
    this.#observer = world.startProcess('observer');
    this.#start = world.clock.now().getTime();
  }

  /** With the job accepted and its first message sent. */
  static async open(world: AwsWorld, provider: RememberingProvider): Promise<FaultyStage> {
    const stage = new FaultyStage(world, provider, aJob({ estimate_micros: 40_000 }));
    const { dynamo, sqs } = stage.#observer;
    const { now } = world.clock;
    const { jobs, accounts } = stage.#stores(dynamo);
    const book = new AccountBook(accounts, now);
    await acceptJob(stage.job, {}, { client: dynamo, jobs, accounts, book, now });
    const { id, workspace_id } = stage.job;
    await stage.#queueOf(sqs)('queued').send({ v: 1, job_id: id, seq: 0 }, workspace_id, 0);
    return stage;
  }

  /** Until the job's end has been told, or nothing happens any more for an hour. */
  async run({ sweeps }: { readonly sweeps: boolean }): Promise<void> {
    const { clock } = this.#world;
    let nextSweep = clock.now().getTime() + 60 * SECOND;
    while (this.#seconds() < 3_600 && this.webhooks.length === 0) {
      // After a minute nobody is waited for but those who come back late.
      await clock.wait((this.#seconds() < 60 ? 1 : 15) * SECOND);
      await this.#consumeAll();
      if (sweeps && clock.now().getTime() >= nextSweep) {
        nextSweep += 60 * SECOND;
        await this.#sweep();
      }
    }
    // Whatever is still on its way comes, and changes nothing.
    await clock.wait(20 * 60 * SECOND);
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

  startWorker(name: 'poller' | 'copier') {
    const aws = this.#world.startProcess(name);
    const { now, wait } = this.#world.clock;
    const stores = this.#stores(aws.dynamo);
    const providerContext: MovingPorts['providerContext'] = async () => ({
      settings: { credential: 'none' },
      inputs: { link: unread, read: unread },
      fetch: unread,
      now,
      signal: new AbortController().signal,
    });
    const ports: TakeMessagePorts & AdvancePorts & CopyPorts = {
      jobs: stores.jobs,
      steps: new JobSteps(aws.dynamo, stores),
      overdueJobs: new OverdueJobs(aws.dynamo, this.#stage.name('Videos-Jobs')),
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
      newGenerationId: () => 'gen_1',
      now,
      random: () => 0,
      newStepName: () => `step-${this.#steps++}`,
      pause: wait,
      countUnderpriced: () => undefined,
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

  startDeliverer() {
    const aws = this.#world.startProcess('deliverer');
    const { now } = this.#world.clock;
    const hosts = this.#stage.name('Webhooks-Hosts');
    let requests = 0;
    const ports: DeliverPorts = {
      events: this.#stores(aws.dynamo).events,
      settings: new WebhookSettingsStore(aws.dynamo, this.#stage.name('Webhooks-Settings')),
      lanes: new LaneStore(aws.dynamo, hosts, { workspace: 5, host: 3 }),
      streaks: new StreakStore(aws.dynamo, hosts),
      secrets: derivedSecrets(kmsDerivation(aws.kms, this.#stage.name('Webhooks-SigningKey'))),
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
    return { process: aws.process, take: (body: string) => deliverEvent(JSON.parse(body), ports) };
  }

  async #consumeAll(): Promise<void> {
    await this.#consume('poller', this.#stage.name('Videos-Queue'));
    await this.#consume('copier', this.#stage.name('Videos-Copies'));
    await this.#consume('deliverer', this.#stage.name('Webhooks-Queue'));
  }

  /** As Lambda does: a message is deleted once its function has ended well, else it comes back. */
  async #consume(program: Program, QueueUrl: string): Promise<void> {
    const { sqs } = this.#observer;
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    await Promise.all(
      Messages.map(async ({ Body = '', ReceiptHandle }) => {
        if (await this.#invoke(program, Body)) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }),
    );
  }

  async #invoke(program: Program, body: string): Promise<boolean> {
    const { clock } = this.#world;
    const instance = this.#instances.get(program) ?? this.#startInstance(program);
    const over = new AbortController();
    const died = async () => {
      this.deaths++;
      this.#instances.delete(program);
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

  #startInstance(program: Program) {
    const instance = program === 'deliverer' ? this.startDeliverer() : this.startWorker(program);
    this.#instances.set(program, instance);
    return instance;
  }

  async #sweep(): Promise<void> {
    const { dynamo, sqs } = this.#observer;
    const { now } = this.#world.clock;
    const { events, ...stores } = this.#stores(dynamo);
    const sweeping = { now, tellUnreadable: () => undefined, log: SILENT };
    const jobsTable = this.#stage.name('Videos-Jobs');
    const ofJobs = {
      overdueJobs: new OverdueJobs(dynamo, jobsTable),
      quarantine: new Quarantine(dynamo, { ...stores, events }, SILENT),
      countQuarantined: () => undefined,
      queueOf: this.#queueOf(sqs),
      now,
      log: SILENT,
    };
    const jobs = {
      rows: new OverdueRows(dynamo, jobsTable),
      schema: overdueIdSchema,
      graceMilliseconds: JOB_GRACE,
    };
    await sweepOverdue(jobs, (job) => sweepJob(job, ofJobs), sweeping);
    const ofEvents = { events, queue: this.#eventQueue(sqs), now, newToken: () => `sweep-${this.#steps++}` };
    const rows = new OverdueRows(dynamo, this.#stage.name('Webhooks-Events'));
    const due = { rows, schema: dueEventSchema, graceMilliseconds: EVENT_GRACE };
    await sweepOverdue(due, (event) => sweepEvent(event, ofEvents), sweeping);
  }

  #seconds = (): number => (this.#world.clock.now().getTime() - this.#start) / SECOND;
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const unread = () => Promise.reject(new Error('nothing is read in this world'));
