import { advanceJob } from '../../functions/videos/advance-job.ts';
import type { Job } from '../../functions/videos/job.ts';
import type { JobMessage } from '../../functions/videos/job-queue.ts';
import { JobMoved } from '../../functions/videos/job-steps.ts';
import type { AdvancePorts } from '../../functions/videos/moving-job.ts';
import { ProviderGate } from '../../functions/videos/provider-gate.ts';
import type { ProviderState, Submission, VideoProvider } from '../../functions/videos/providers/provider.ts';
import type { WebhookEvent } from '../../functions/webhooks/event.ts';
import { aJob, START } from './job-fixture.ts';

export class Crash extends Error {}

export interface Script {
  submit?: (attempt: number) => Promise<Submission>;
  poll?: (attempt: number) => Promise<ProviderState>;
  lookup?: NonNullable<VideoProvider['lookup']>;
  resubmit?: VideoProvider['resubmit'];
  /** What the address of a result answers. */
  download?: (attempt: number, url: string) => Promise<Response>;
  /** What the bucket finds, once it has read the bytes. */
  judge?: (attempt: number) => void;
}

/**
 * A table, two queues, a bucket and a provider, as simple as their contracts allow, under a clock that
 * the test turns. `crashAt` ends the worker at the nth call to any of them, after or before its effect.
 */
export class JobWorld {
  job: Job;
  readonly messages: { message: JobMessage; dueAt: number }[] = [];
  readonly events = new Map<string, WebhookEvent>();
  readonly eventMessages: string[] = [];
  readonly calls: string[] = [];
  readonly submits: string[] = [];
  readonly outcomes: string[] = [];
  crashAt: { call: number; effect: 'before' | 'after' } | undefined;
  now = START.getTime();
  readonly script: Script;

  constructor(script: Script = {}, job: Job = aJob()) {
    this.script = script;
    this.job = job;
    this.messages.push({ message: { v: 1, job_id: job.id, seq: 0 }, dueAt: this.now });
  }

  /** Delivers what is due, turning the clock to it; a crashed message comes back. */
  async run(limit = 200): Promise<void> {
    for (let round = 0; round < limit && this.messages.length > 0; round++) {
      this.messages.sort((a, b) => a.dueAt - b.dueAt);
      const next = this.messages.shift();
      if (next === undefined) return;
      this.now = Math.max(this.now, next.dueAt);
      try {
        await advanceJob(next.message, this.ports);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        this.messages.push({ message: next.message, dueAt: this.now + 360_000 });
      }
    }
  }

  readonly ports: AdvancePorts = {
    jobs: { find: (id) => this.#call('find', () => (id === this.job.id ? this.job : undefined)) },
    steps: {
      apply: (job, { changes }) => this.#call('apply', () => this.#write(job, changes)),
      settle: (job, { changes }, event) =>
        this.#call('settle', () => {
          if (this.events.has(event.id)) throw new JobMoved(job.id);
          this.#write(job, changes);
          this.events.set(event.id, event);
        }),
    },
    jobQueue: {
      send: (message, _group, delaySeconds) =>
        this.#call('send', () => {
          this.messages.push({ message, dueAt: this.now + delaySeconds * 1000 });
        }),
    },
    eventQueue: {
      send: (message) => this.#call('send event', () => void this.eventMessages.push(message.event_id)),
    },
    results: {
      save: (key, body) =>
        this.#call('save', async () => {
          const { byteLength } = Buffer.concat(await Array.fromAsync(body));
          this.script.judge?.(this.#count('save'));
          return { key, size_bytes: byteLength, sha256: 'digest' };
        }),
    },
    provider: () => ({
      name: 'scripted',
      resubmit: this.script.resubmit ?? 'token',
      submit: (job) =>
        this.#call('submit', () => {
          this.submits.push(job.id);
          const accepted = { ref: { id: job.id }, upstreamId: 'up-1' };
          return this.script.submit?.(this.submits.length) ?? accepted;
        }),
      lookup: (jobId, context) =>
        this.#call('lookup', () => this.script.lookup?.(jobId, context) ?? 'unknown'),
      poll: () => this.#call('poll', () => this.script.poll?.(this.#count('poll')) ?? succeeded()),
    }),
    providerContext: async () => ({
      settings: { credential: 'none' },
      inputs: { link: unread, read: unread },
      fetch: (url) =>
        this.#call(
          'download',
          () => this.script.download?.(this.#count('download'), String(url)) ?? aVideo(),
        ),
      now: () => new Date(this.now),
      signal: new AbortController().signal,
    }),
    gate: new ProviderGate({
      now: () => new Date(this.now),
      log: silent,
    }),
    newGenerationId: () => 'gen_1',
    now: () => new Date(this.now),
    random: () => 0,
    countSettled: (outcome) => void this.outcomes.push(outcome),
    log: silent,
  };

  #count(call: string): number {
    return this.calls.filter((each) => each === call).length;
  }

  #write(read: Job, changes: Partial<Job>): void {
    const { seq, phase, submits } = this.job;
    if (read.seq !== seq || read.phase !== phase || read.submits !== submits) throw new JobMoved(read.id);
    this.job = { ...this.job, ...changes };
  }

  async #call<T>(name: string, effect: () => T | Promise<T>): Promise<T> {
    this.calls.push(name);
    const crash = this.crashAt?.call === this.calls.length ? this.crashAt.effect : undefined;
    if (crash === 'before') throw new Crash(name);
    const result = await effect();
    if (crash === 'after') throw new Crash(name);
    return result;
  }
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

const unread = () => Promise.reject(new Error('no input is read in this world'));

const aVideo = async () => new Response('video');

/** Done, with the result at an address. */
export const linked = (url = 'https://provider.example/1.mp4'): ProviderState => ({
  state: 'succeeded',
  outputs: [{ kind: 'url', url }],
});

async function* someBytes(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('video');
}

/** Done, with the result in the answer. */
export const succeeded = (): ProviderState => ({
  state: 'succeeded',
  outputs: [{ kind: 'bytes', body: someBytes() }],
});
