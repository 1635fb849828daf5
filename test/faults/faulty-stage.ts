import { PutObjectCommand } from '@aws-sdk/client-s3';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { ClockCheck, WrongClock } from '../../functions/aws/consumers.ts';
import { kmsDerivation } from '../../functions/aws/derive-bytes.ts';
import { insistently } from '../../functions/aws/retry.ts';
import { workspaceAccount } from '../../functions/money/account.ts';
import { micros } from '../../functions/money/micros.ts';
import { stepOrLeave } from '../../functions/sweeping/swept-rows.ts';
import type { JobMessage } from '../../functions/videos/jobs/job-queue.ts';
import type { Manners } from '../../functions/videos/providers/manners.ts';
import type { ProviderState, VideoProvider } from '../../functions/videos/providers/provider.ts';
import { advanceJob } from '../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../functions/videos/worker/copy-job.ts';
import { takeMessage } from '../../functions/videos/worker/moving-job.ts';
import { deliverEvent, insistentPorts } from '../../functions/webhooks/delivery/deliver-event.ts';
import type { EventMessage } from '../../functions/webhooks/events/event-queue.ts';
import { derivedSecrets } from '../../functions/webhooks/signature.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { type EventPorts, StageProcess } from '../deployed/stage-process.ts';
import type { AwsWorld, Process } from '../engines/index.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';

/** The functions whose calls may fail, and their Lambda timeouts. */
const TIMEOUTS = { poller: 60_000, copier: 900_000, deliverer: 40_000 };
type Program = keyof typeof TIMEOUTS;

const SECOND = 1_000;
/** More than the polls of a step. */
const STEP = 10_000;

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
  /** The step of the job in the message. Of polls that learn nothing only the number goes up. */
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
  readonly job = aJob({ estimate_micros: micros(40_000) });
  /** The time of each webhook, in seconds from the start, and its id. */
  readonly webhooks: { readonly second: number; readonly id: string }[] = [];
  readonly provider: RememberingProvider;
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
  readonly #observer: StageProcess;
  readonly #start: number;
  readonly #machines: Machines;
  readonly #instances = new Map<string, Instance>();

  constructor(world: AwsWorld, resubmit: Manners['resubmit'], machines = ONE_MACHINE) {
    this.#machines = machines;
    this.#world = world;
    this.provider = new RememberingProvider(resubmit);
    this.#stage = new DeployedStage(world);
    this.#observer = new StageProcess(world, this.#stage, 'observer');
    this.#start = world.clock.now().getTime();
  }

  /** Accepts the job, and runs until its webhook has been delivered, for at most some hours. */
  async run({ sweeps, hours = 1 }: { readonly sweeps: boolean; readonly hours?: number }): Promise<void> {
    const { clock } = this.#world;
    await this.#observer.accept(this.job);
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

  row = (): Promise<Record<string, unknown>> =>
    this.#observer.row(this.#observer.tables.jobs, { id: this.job.id });

  account = (): Promise<Record<string, unknown>> =>
    this.#observer.row(this.#observer.tables.accounts, { account: workspaceAccount(this.job.workspace_id) });

  async events(): Promise<unknown[]> {
    const { aws, tables } = this.#observer;
    const { Items = [] } = await aws.dynamo.send(new ScanCommand({ TableName: tables.events }));
    return Items.map(({ type, status }) => `${type} ${status}`);
  }

  startWorker(name: 'poller' | 'copier', now: () => Date) {
    const worker = new StageProcess(this.#world, this.#stage, name, now);
    const { s3, process } = worker.aws;
    const ports = worker.jobPorts(this.provider, {
      results: {
        save: async (Key, body) => {
          const Body = Buffer.concat(await Array.fromAsync(body));
          const Bucket = this.#stage.name('Videos-Results');
          await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
          return { key: Key, size_bytes: Body.length, sha256: 'digest' };
        },
        remove: async () => undefined,
      },
      countSettled: () => {
        this.endedAt = this.#seconds();
      },
    });
    const step: typeof advanceJob | typeof copyJob = name === 'poller' ? advanceJob : copyJob;
    return { process, take: (body: string) => takeMessage(JSON.parse(body), ports, step) };
  }

  startDeliverer(now: () => Date) {
    const deliverer = new StageProcess(this.#world, this.#stage, 'deliverer', now);
    const { kms, process } = deliverer.aws;
    const { wait } = this.#world.clock;
    const derive = kmsDerivation(kms, this.#stage.name('Webhooks-SigningKey'));
    const post: EventPorts['post'] = async (_, { id }) => {
      this.webhooks.push({ second: this.#seconds(), id });
      return { status: 200, aborts: false };
    };
    const secrets = derivedSecrets(insistently(wait)(derive));
    const ports = deliverer.eventPorts(post, { secrets });
    const take = (body: string) => {
      const message: EventMessage = JSON.parse(body);
      return stepOrLeave(message.event_id, () => deliverEvent(message, insistentPorts(ports, wait)), ports);
    };
    return { process, take };
  }

  async #consumeAll(): Promise<void> {
    const { jobs, copies, events } = this.#observer.queues;
    for (const [program, url] of [
      ['poller', jobs],
      ['copier', copies],
      ['deliverer', events],
    ] as const)
      await this.#observer.consume(url, ({ Body = '', Attributes = {} }) =>
        this.#invoke(program, Body, Attributes),
      );
  }

  async #invoke(program: Program, body: string, stamps: Record<string, string>): Promise<boolean> {
    const machine = this.#machines.pick();
    const name = `${program} ${machine}`;
    const instance = this.#instances.get(name) ?? this.#startInstance(program, machine);
    const isTaken = isClockRight(instance.clock, stamps, instance.now());
    const { seq = 0, polls = 0 } = JSON.parse(body) as Partial<JobMessage>;
    const step = STEP * seq + polls;
    this.received.push({ program, step, second: this.#seconds(), isTaken });
    if (!isTaken) return false;
    const ending = await this.#observer.invoke(instance.process, TIMEOUTS[program], instance.take(body));
    if (ending === 'died') {
      this.deaths++;
      this.#instances.delete(name);
    }
    return ending === 'done';
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
    const sweeper = new StageProcess(this.#world, this.#stage, 'observer', this.#clockOf('sweeper', 0));
    await sweeper.sweepJobs(sweeper.jobPorts(this.provider));
    const post = () => Promise.reject(new Error('a sweeper sends no webhook'));
    await sweeper.sweepEvents(sweeper.eventPorts(post));
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

/** A provider that remembers its jobs. Each kind can be asked in another way: by a token, by our id, or not at all. */
class RememberingProvider implements VideoProvider {
  readonly name = 'remembering';
  readonly manners: Manners;
  /** How many jobs it has accepted. Each of them is billed. */
  works = 0;
  #polls = 0;

  constructor(resubmit: Manners['resubmit']) {
    this.manners = { resubmit };
  }

  async submit({ id }: { readonly id: string }) {
    const isRepetition = this.manners.resubmit === 'token' && this.works > 0;
    if (!isRepetition) this.works++;
    return { ref: { id }, upstreamId: `up-${id}` };
  }

  async lookup(id: string) {
    return this.works === 0 ? ('absent' as const) : { ref: { id }, upstreamId: `up-${id}` };
  }

  async poll(): Promise<ProviderState> {
    this.#polls++;
    return this.#polls < 3
      ? { state: 'running', progress: 30 * this.#polls }
      : { state: 'succeeded', outputs: [{ kind: 'bytes', body: someBytes() }] };
  }
}

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('video');
}
