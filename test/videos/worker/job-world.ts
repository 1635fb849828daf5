import { overdueRow } from '../../../functions/sweeping/swept-rows.ts';
import { bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Job, JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { type JobMessage, type JobQueue, queueByPhase } from '../../../functions/videos/jobs/job-queue.ts';
import { requestAt } from '../../../functions/videos/jobs/job-request.ts';
import { JobMoved } from '../../../functions/videos/jobs/job-steps.ts';
import {
  GRACE_MILLISECONDS,
  JOB_ROWS,
  type SweepJobPorts,
  sweepJob,
} from '../../../functions/videos/jobs/sweep-job.ts';
import type { CancelManners, Manners } from '../../../functions/videos/providers/manners.ts';
import type {
  ProviderJob,
  ProviderRef,
  ProviderState,
  Submission,
  VideoProvider,
} from '../../../functions/videos/providers/provider.ts';
import { advanceJob, pollJob } from '../../../functions/videos/worker/advance-job.ts';
import type { CancelPorts } from '../../../functions/videos/worker/cancel-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import type { CopyPorts } from '../../../functions/videos/worker/moving-job.ts';
import { ProviderGate } from '../../../functions/videos/worker/provider-gate.ts';
import type { SubmitPorts } from '../../../functions/videos/worker/share-store.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { aJob, START } from '../jobs/job-fixture.ts';

export class Crash extends Error {}

/** What the provider does. If a part is missing, that part succeeds. */
export interface Script {
  submit?: (attempt: number, job: ProviderJob, provider: string) => Promise<Submission>;
  poll?: (attempt: number, ref: ProviderRef) => Promise<ProviderState>;
  cancel?: NonNullable<VideoProvider['cancel']>;
  lookup?: NonNullable<VideoProvider['lookup']>;
  resubmit?: Manners['resubmit'];
  /** How its cancelling differs from the usual: until the end, harmless afterwards, and told by the next poll. */
  cancels?: Partial<CancelManners>;
  /** The answer at a result's address. */
  download?: (attempt: number, url: string) => Promise<Response>;
  /** Judges the bytes that the bucket received. */
  judge?: (attempt: number) => void | Promise<void>;
  /** Before the bucket removes an object. */
  remove?: () => Promise<void>;
}

export interface Delayed {
  readonly queue: 'submits' | 'jobs' | 'copies';
  readonly message: JobMessage;
  readonly dueAt: number;
  readonly receives: number;
}

/** The queue's settings: a message comes back four times, each time after this pause. Then it is a dead letter. */
const VISIBILITY_MILLISECONDS = 360_000;
const MOST_RECEIVES = 5;

const WORKERS = { submits: advanceJob, jobs: pollJob, copies: copyJob };

/**
 * A table, queues, a bucket and a provider, as simple as their contracts allow, on a clock that the test sets. `crash`
 * decides at which call a worker dies, before or after the call's effect.
 */
export class JobWorld {
  readonly rows = new Map<string, Job>();
  /** The jobs as they were accepted. */
  readonly #accepted = new Map<string, JobWithRequest>();
  readonly script: Script;
  messages: Delayed[] = [];
  readonly deadLetters: Delayed[] = [];
  readonly events = new Map<string, WebhookEvent>();
  readonly eventMessages: string[] = [];
  readonly calls: string[] = [];
  readonly submits: string[] = [];
  readonly outcomes: string[] = [];
  readonly noted: Job[] = [];
  readonly saved: string[] = [];
  readonly removed: string[] = [];
  settlements = 0;
  underpriced = 0;
  /** The providers that refused the stage's own key. */
  readonly refusedKeys: string[] = [];
  now = START.getTime();
  readonly closedKeys = new Set<string>();
  /** The error of the worker's clock. */
  skew = 0;
  #steps = 0;
  readonly #counts = new Map<string, number>();
  #isDelivering = false;
  /** Whether the worker with the latest message is dead. Its further calls have no effect. */
  #isDead = false;
  crash: (call: number) => 'before' | 'after' | undefined = () => undefined;
  /** Lets a test order the calls of several workers. */
  turn: (call: string) => Promise<void> = async () => undefined;
  /** The error that AWS returns instead of performing a call, if any. */
  refuse: (name: string, call: number) => Error | undefined = () => undefined;

  constructor(script: Script = {}, ...jobs: JobWithRequest[]) {
    this.script = script;
    for (const job of jobs.length === 0 ? [aJob()] : jobs) {
      this.rows.set(job.id, job);
      this.#accepted.set(job.id, job);
      const message: JobMessage = { v: 1, job_id: job.id, seq: 0 };
      const queue = job.phase === 'queued' ? 'submits' : 'jobs';
      this.messages.push({ queue, message, dueAt: this.now, receives: 0 });
    }
  }

  /** The job of a world with only one job. */
  get job(): Job {
    return [...this.rows.values()][0]!;
  }

  /** Delivers the messages when they are due, until none is left. */
  async run(limit = 200): Promise<void> {
    for (let round = 0; round < limit && this.messages.length > 0; round++) {
      this.messages.sort((a, b) => a.dueAt - b.dueAt);
      await this.deliver(this.messages[0]!);
    }
  }

  /** Gives the message to a worker when it is due. If the worker dies, the message comes back. */
  async deliver(delayed: Delayed): Promise<void> {
    this.messages = this.messages.filter((each) => each !== delayed);
    this.now = Math.max(this.now, delayed.dueAt);
    this.#isDelivering = true;
    try {
      await WORKERS[delayed.queue](delayed.message, this.ports);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      const receives = delayed.receives + 1;
      const back = { ...delayed, dueAt: this.now + VISIBILITY_MILLISECONDS, receives };
      (receives < MOST_RECEIVES ? this.messages : this.deadLetters).push(back);
    } finally {
      this.#isDead = false;
      this.#isDelivering = false;
    }
  }

  async sweep(): Promise<void> {
    for (const job of this.rows.values()) {
      if (job.phase === 'settled' || job.due_at >= this.now - GRACE_MILLISECONDS) continue;
      await sweepJob(job, this.ports);
    }
  }

  redrive(): void {
    for (const letter of this.deadLetters.splice(0)) this.messages.push({ ...letter, receives: 0 });
  }

  readonly queues = {
    submits: this.#queue('submits'),
    polls: this.#queue('jobs'),
    copies: this.#queue('copies'),
  };

  readonly ports: SubmitPorts & CopyPorts & CancelPorts & SweepJobPorts = {
    jobs: {
      find: (id) => this.#call('find', () => this.rows.get(id)),
      requestOf: (job) => this.#call('find request', () => requestAt(job, this.#accepted.get(job.id)!)),
    },
    steps: {
      apply: (job, { changes }) => this.#call('apply', () => this.#write(job, changes)),
      maySpend: ({ key_hash }) => this.#call('find key', () => !this.closedKeys.has(key_hash)),
      requestCancel: (job, now) =>
        this.#call('request cancel', () => {
          const row = this.rows.get(job.id)!;
          const isThere = ['submitting', 'polling'].includes(row.phase);
          const mayBe = row.phase === 'queued' && row.may_be_taken === true;
          if (!isThere && !mayBe) throw new JobMoved(job.id);
          const wished = { ...row, cancel_requested_at: row.cancel_requested_at ?? now.toISOString() };
          this.rows.set(job.id, wished);
          return wished;
        }),
      settle: (job, { changes }, event) =>
        this.#call('settle', () => {
          if (this.events.has(event.id)) throw new JobMoved(job.id);
          this.#write(job, changes);
          this.settlements++;
          this.events.set(event.id, event);
        }),
    },
    sweptRows: {
      find: (id) => this.#call('find overdue', () => overdueRow({ ...this.rows.get(id) }, JOB_ROWS)),
      postpone: ({ id, sweeps }, due_at) =>
        this.#call('postpone', () => {
          this.rows.set(id, { ...this.rows.get(id)!, due_at, sweeps: sweeps + 1 });
          return true;
        }),
    },
    quarantine: { add: async () => true },
    countQuarantined: () => undefined,
    queueOf: queueByPhase(this.queues),
    eventQueue: {
      send: (message) => this.#call('send event', () => void this.eventMessages.push(message.event_id)),
    },
    results: {
      save: (key, body) =>
        this.#call('save', async () => {
          this.saved.push(key);
          const { byteLength } = Buffer.concat(await Array.fromAsync(body));
          await this.script.judge?.(this.#count('save'));
          return { key, size_bytes: byteLength, sha256: 'digest' };
        }),
      remove: async (key) => {
        await this.script.remove?.();
        this.removed.push(key);
      },
    },
    keptDays: () => this.#call('find workspace', () => 30 as const),
    catalogue: async () => bundledCatalogue,
    provider: (name) => ({
      name,
      manners: {
        resubmit: this.script.resubmit ?? 'token',
        cancel: { until: 'finished', deletesFinished: false, staysReadable: true, ...this.script.cancels },
      },
      submit: (job) =>
        this.#call('submit', () => {
          this.submits.push(job.id);
          const accepted = { ref: { id: job.id }, upstreamId: 'up-1' };
          return this.script.submit?.(this.submits.length, job, name) ?? accepted;
        }),
      cancel: (ref, context) => this.#call('cancel', () => this.script.cancel?.(ref, context) ?? 'cancelled'),
      lookup: (jobId, context) =>
        this.#call('lookup', () => this.script.lookup?.(jobId, context) ?? 'unknown'),
      poll: (ref) => this.#call('poll', () => this.script.poll?.(this.#count('poll'), ref) ?? succeeded()),
    }),
    downloadContext: (provider, job) => this.ports.providerContext(provider, job),
    providerContext: async () => ({
      settings: { credential: 'none' },
      inputs: { link: unread, read: unread },
      fetch: (url) =>
        this.#call(
          'download',
          () => this.script.download?.(this.#count('download'), String(url)) ?? aVideo(),
        ),
      now: () => new Date(this.now + this.skew),
      signal: new AbortController().signal,
    }),
    gate: new ProviderGate({ now: () => new Date(this.now + this.skew), log: silent() }),
    now: () => new Date(this.now + this.skew),
    random: () => 0,
    newStepName: () => `step-${this.#steps++}`,
    pause: async (milliseconds) => {
      this.now += milliseconds;
    },
    shares: { enter: async () => true, leave: async () => undefined },
    submitters: 5,
    copiers: 5,
    after: () => () => undefined,
    noteEnd: (job) => void this.noted.push(job),
    countUnderpriced: () => void this.underpriced++,
    countRefusedKey: (provider) => void this.refusedKeys.push(provider),
    countSettled: (outcome) => void this.outcomes.push(outcome),
    log: silent(),
  };

  #queue(queue: Delayed['queue']): JobQueue {
    return {
      send: (message, _group, delaySeconds) =>
        this.#call('send', () => {
          const dueAt = this.now + delaySeconds * 1000;
          this.messages.push({ queue, message, dueAt, receives: 0 });
        }),
    };
  }

  #count(call: string): number {
    return this.#counts.get(call) ?? 0;
  }

  #write(read: Job, changes: Partial<Job>): void {
    const row = this.rows.get(read.id)!;
    if (row.step === changes.step) return;
    if (read.step !== row.step || read.seq !== row.seq) throw new JobMoved(read.id);
    this.rows.set(read.id, { ...row, ...changes });
  }

  async #call<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    await this.turn(name);
    if (this.#isDead) throw new Crash(name);
    this.calls.push(name);
    this.#counts.set(name, this.#count(name) + 1);
    const crash = this.crash(this.calls.length);
    if (crash === 'before') this.#die(name);
    const refusal = this.refuse(name, this.#count(name));
    if (refusal !== undefined) throw refusal;
    const result = await effect();
    if (crash === 'after') this.#die(name);
    return result;
  }

  #die(name: string): never {
    this.#isDead = this.#isDelivering;
    throw new Crash(name);
  }
}

const unread = () => Promise.reject(new Error('no input is read in this world'));

function silent() {
  return { info: () => undefined, warn: () => undefined, error: () => undefined };
}

const aVideo = async () => new Response('video');

/** A finished job whose result is at an address. */
export const linked = (url = 'https://provider.example/1.mp4'): ProviderState => ({
  state: 'succeeded',
  outputs: [{ kind: 'url', url }],
});

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('video');
}

/** A finished job whose result is in the answer. */
export const succeeded = (): ProviderState => ({
  state: 'succeeded',
  outputs: [{ kind: 'bytes', body: someBytes() }],
});
