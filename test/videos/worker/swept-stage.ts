import { GetQueueAttributesCommand, PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { DeleteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { type Account, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { micros } from '../../../functions/money/micros.ts';
import type { Job, JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import type { JobMessage } from '../../../functions/videos/jobs/job-queue.ts';
import { QuarantinedJobs } from '../../../functions/videos/jobs/quarantine.ts';
import type { VideoProvider } from '../../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import { takeMessage } from '../../../functions/videos/worker/moving-job.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { type JobPorts, StageProcess } from '../../deployed/stage-process.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { succeeded } from './job-world.ts';

const MINUTE = 60_000;

/** The sweeper and the pollers with their tables and queues, as deployed, on a separate clock. */
export class SweptStage {
  /** How many milliseconds indexes and inconsistent reads lag behind. */
  lag = (): number => 0;
  readonly world = new AwsWorld({ start: START, lag: () => this.lag() });
  readonly stage = new DeployedStage(this.world);
  readonly #process = new StageProcess(this.world, this.stage);
  readonly #aws = this.#process.aws;
  /** A client for the test itself. */
  readonly dynamo = this.#aws.dynamo;
  readonly tables = this.#process.tables;
  readonly #queueUrl = this.#process.queues.jobs;
  readonly log: string[] = [];
  /** The ids of jobs, in the order in which workers received them. */
  readonly received: string[] = [];
  /** Whether workers handle the messages. */
  hasPollers = true;
  readonly jobs = this.#process.jobs;
  readonly quarantine = new QuarantinedJobs(this.dynamo, this.tables);
  /** How often a job was quarantined. */
  quarantined = 0;
  readonly ports: JobPorts;

  /** @param own replaces some of what the functions need */
  constructor(provider: VideoProvider, own: Partial<JobPorts> = {}) {
    const note = (message: string) => void this.log.push(message);
    this.ports = this.#process.jobPorts(provider, {
      countQuarantined: () => void this.quarantined++,
      log: { info: note, warn: note, error: note },
      ...own,
    });
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
  admit = (job: JobWithRequest): Promise<Job> => this.#process.accept(job);

  /** Changes fields of a job's row. `undefined` removes a field. */
  change = (id: string, fields: Record<string, unknown>): Promise<void> =>
    this.#process.change(this.tables.jobs, { id }, fields);

  row = (id: string): Promise<Record<string, unknown>> => this.#process.row(this.tables.jobs, { id });

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

  changeAccount = (account: string, name: string, value: unknown): Promise<void> =>
    this.#process.change(this.tables.accounts, { account }, { [name]: value });

  accountRow = (account: string): Promise<Record<string, unknown>> =>
    this.#process.row(this.tables.accounts, { account });

  accountsOf({ key_hash, workspace_id }: Job): Promise<Account[]> {
    return this.#process.accounts.read([keyAccount(key_hash), workspaceAccount(workspace_id)]);
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

  sweep = (): Promise<void> => this.#process.sweepJobs(this.ports);

  async #workOff(): Promise<void> {
    const { jobs, copies } = this.#process.queues;
    while ((await this.#receive(jobs, advanceJob)) + (await this.#receive(copies, copyJob)) > 0);
  }

  #receive(url: string, step: typeof advanceJob | typeof copyJob): Promise<number> {
    return this.#process.consume(url, ({ Body = '' }) => {
      const message: JobMessage = JSON.parse(Body);
      this.received.push(message.job_id);
      return takeMessage(message, this.ports, step).then(
        () => true,
        () => false,
      );
    });
  }
}

/** A provider that works until the test sets `isDone`. */
export function slowProvider(): VideoProvider & { isDone: boolean } {
  const provider = {
    name: 'scripted',
    manners: { resubmit: 'token' as const },
    isDone: false,
    submit: async ({ id }: { id: string }) => ({ ref: { id }, upstreamId: id }),
    poll: async () => (provider.isDone ? succeeded() : { state: 'running' as const }),
  };
  return provider;
}
