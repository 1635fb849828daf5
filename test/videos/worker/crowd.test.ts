import { describe, expect, test } from '@jest/globals';
import { workersOfProvider, workersOfWorkspace } from '../../../functions/fair-shares.ts';
import type { JobWithRequest } from '../../../functions/videos/jobs/job.ts';
import { type JobMessage, type JobQueues, queueByPhase } from '../../../functions/videos/jobs/job-queue.ts';
import type { VideoProvider } from '../../../functions/videos/providers/provider.ts';
import { advanceJob, pollJob } from '../../../functions/videos/worker/advance-job.ts';
import { copyJob } from '../../../functions/videos/worker/copy-job.ts';
import { ProviderGate, type ProviderGatePorts } from '../../../functions/videos/worker/provider-gate.ts';
import type { Share } from '../../../functions/videos/worker/share-store.ts';
import { SlowPolls } from '../../../functions/videos/worker/slow-polls.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { JobWorld, linked } from './job-world.ts';

const SECOND = 1_000;
const KIBIBYTE = 1024;

/** How a job's provider treats it, in seconds. */
interface Course {
  readonly submit: number;
  readonly making: number;
  /** How long its result takes to arrive. */
  readonly result: number;
}

const QUICK: Course = { submit: 0.6, making: 41, result: 2 };

/** As `lib/` sets it up. */
const WORKERS = {
  submits: { step: advanceJob, batch: 10 },
  polls: { step: pollJob, batch: 10 },
  copies: { step: copyJob, batch: 1 },
} as const;
type Kind = keyof JobQueues;
const KINDS = ['submits', 'polls', 'copies'] as const satisfies Kind[];

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Submitters, pollers and copiers that run at the same time, on a clock that jumps. The queues are as bad as possible:
 * first in, first out, with each message in a batch of its own as long as a worker is free for it.
 */
class Fleet {
  readonly #functions: number;
  readonly #world = new JobWorld({}, aJob({ phase: 'settled' }));
  readonly #courses = new Map<string, Course>();
  readonly #madeAt = new Map<string, number>();
  readonly #waiting: Record<Kind, { message: JobMessage; dueAt: number }[]> = {
    submits: [],
    polls: [],
    copies: [],
  };
  readonly #idle: Record<Kind, ProviderGate[]>;
  readonly #occupants = new Map<string, Set<string>>();
  #timers: { at: number; ring: () => void }[] = [];
  #now = START.getTime();

  constructor(functions: number) {
    this.#functions = functions;
    const now = () => new Date(this.#now);
    const gates = (made: () => Pick<ProviderGatePorts, 'slowPolls'>) =>
      Array.from({ length: functions }, () => new ProviderGate({ now, log: silent, ...made() }));
    const none = () => ({});
    this.#idle = {
      submits: gates(none),
      polls: gates(() => ({ slowPolls: new SlowPolls() })),
      copies: gates(none),
    };
  }

  /** Adds a job that is accepted, or whose video is made, so many seconds after the start. */
  add(id: string, course: Course, after: number, change: Partial<JobWithRequest>): void {
    const at = START.getTime() + after * SECOND;
    const times = { created_at: new Date(at).toISOString(), deadline_at: at + 3_600 * SECOND };
    const job = aJob({ id, ref: { id }, ...times, ...change });
    this.#world.rows.set(id, job);
    this.#courses.set(id, course);
    this.#madeAt.set(id, 0);
    const kind = job.phase === 'queued' ? 'submits' : 'copies';
    this.#waiting[kind].push({ message: { v: 1, job_id: id, seq: 0 }, dueAt: at });
  }

  /** The seconds from a job's beginning to its end. */
  took(id: string): number {
    const { status, created_at, completed_at = '' } = this.#world.rows.get(id)!;
    expect(status).toBe('completed');
    return (Date.parse(completed_at) - Date.parse(created_at)) / SECOND;
  }

  async run(seconds: number): Promise<void> {
    const end = START.getTime() + seconds * SECOND;
    while (this.#now < end) {
      for (const kind of KINDS) this.#receive(kind);
      await settled();
      const moments = KINDS.flatMap((kind) => this.#waiting[kind].map(({ dueAt }) => dueAt));
      this.#now = Math.min(
        end,
        ...[...this.#timers.map(({ at }) => at), ...moments].filter((at) => at > this.#now),
      );
      const ringing = this.#timers.filter(({ at }) => at <= this.#now);
      this.#timers = this.#timers.filter(({ at }) => at > this.#now);
      for (const { ring } of ringing) ring();
      await settled();
    }
  }

  #receive(kind: Kind): void {
    const due = this.#waiting[kind].filter(({ dueAt }) => dueAt <= this.#now);
    this.#waiting[kind] = this.#waiting[kind].filter(({ dueAt }) => dueAt > this.#now);
    while (due.length > 0) {
      const gate = this.#idle[kind].shift();
      if (gate === undefined) break;
      const fair = Math.ceil(due.length / (this.#idle[kind].length + 1));
      const batch = due.splice(0, Math.min(WORKERS[kind].batch, fair));
      const ports = this.#ports(gate);
      const steps = batch.map(({ message }) => WORKERS[kind].step(message, ports));
      void Promise.all(steps).then(() => this.#idle[kind].push(gate));
    }
    this.#waiting[kind].unshift(...due);
  }

  #wait(seconds: number): Promise<void> {
    return new Promise((ring) => this.#timers.push({ at: this.#now + seconds * SECOND, ring }));
  }

  readonly #queue = (kind: Kind) => ({
    send: async (message: JobMessage, _: string, delaySeconds: number) => {
      this.#waiting[kind].push({ message, dueAt: this.#now + delaySeconds * SECOND });
    },
  });

  readonly #provider: VideoProvider = {
    name: 'one',
    manners: { resubmit: 'token' },
    submit: async ({ id }) => {
      const { submit, making } = this.#courses.get(id)!;
      await this.#wait(submit);
      this.#madeAt.set(id, this.#now + making * SECOND);
      return { ref: { id }, upstreamId: id };
    },
    poll: async ({ id }) => {
      await this.#wait(0.6);
      const isMade = this.#madeAt.get(String(id))! <= this.#now;
      return isMade ? linked(`https://results.example/${id}`) : { state: 'running' };
    },
  };

  /** A result of 10 MiB, in even parts. */
  readonly #fetch: typeof fetch = async (url, { signal } = {}) => {
    const { result } = this.#courses.get(new URL(String(url)).pathname.slice(1))!;
    const parts = Math.ceil(result / 20);
    const wait = (seconds: number) => this.#wait(seconds);
    const body = async function* () {
      for (let part = 0; part < parts; part++) {
        await Promise.race([wait(result / parts), rejectedBy(signal)]);
        yield new Uint8Array((10 * KIBIBYTE ** 2) / parts);
      }
    };
    const headers = { 'content-length': String(10 * KIBIBYTE ** 2) };
    return new Response(ReadableStream.from(body()), { headers });
  };

  readonly #shares = {
    enter: async (shares: readonly Share[], { jobId }: { jobId: string }) => {
      const hasRoom = shares.every(({ id, size }) => (this.#occupants.get(id)?.size ?? 0) < size);
      if (!hasRoom) return false;
      for (const { id } of shares) {
        this.#occupants.set(id, (this.#occupants.get(id) ?? new Set()).add(jobId));
      }
      return true;
    },
    leave: async (shares: readonly Share[], { jobId }: { jobId: string }) => {
      for (const { id } of shares) this.#occupants.get(id)?.delete(jobId);
    },
  };

  #ports(gate: ProviderGate) {
    const now = () => new Date(this.#now);
    const context = async () => ({
      ...(await this.#world.ports.providerContext('one', aJob())),
      fetch: this.#fetch,
      now,
    });
    return {
      ...this.#world.ports,
      now,
      gate,
      jobs: { find: async (id: string) => this.#world.rows.get(id), requestOf: async () => aJob().request },
      queueOf: queueByPhase({
        submits: this.#queue('submits'),
        polls: this.#queue('polls'),
        copies: this.#queue('copies'),
      }),
      provider: () => this.#provider,
      providerContext: context,
      downloadContext: context,
      results: {
        remove: async () => undefined,
        save: async (key: string, body: AsyncIterable<Uint8Array>) => {
          let size_bytes = 0;
          for await (const chunk of body) size_bytes += chunk.byteLength;
          return { key, size_bytes, sha256: 'digest' };
        },
      },
      shares: this.#shares,
      submitters: this.#functions,
      copiers: this.#functions,
      after: (milliseconds: number, call: () => void) => {
        const timer = { at: this.#now + milliseconds, ring: call };
        this.#timers.push(timer);
        return () => {
          this.#timers = this.#timers.filter((each) => each !== timer);
        };
      },
      random: () => 0.5,
      pause: (milliseconds: number) => this.#wait(milliseconds / SECOND),
    };
  }
}

const rejectedBy = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/** Resolves when everything that needs no clock is done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

let made = 0;
const newId = () => `vid_${String(made++).padStart(26, '0')}`;

/** At 16 KiB a second. */
const SLOW_RESULT: Course = { ...QUICK, result: 640 };
const MADE = { phase: 'made', status: 'in_progress' } as const;

const SLOW_SUBMIT: Course = { submit: 19, making: 0, result: 2 };

/** Jobs of another workspace, one after the other. */
interface Others {
  readonly jobs: number;
  /** Seconds between their beginnings. */
  readonly every: number;
  readonly change?: Partial<JobWithRequest>;
}

/** How much longer the slowest of them takes than alone. */
async function delay(crowd: (fleet: Fleet) => void, { jobs, every, change }: Others): Promise<number> {
  const longest = async (count: number, happens: (fleet: Fleet) => void) => {
    const fleet = new Fleet(50);
    happens(fleet);
    const ids = Array.from({ length: count }, newId);
    for (const [i, id] of ids.entries()) {
      fleet.add(id, QUICK, 0.1 + every * i, { ...change, workspace_id: 'other', provider: 'other' });
    }
    await fleet.run(every * count + 300);
    return Math.max(...ids.map((id) => fleet.took(id)));
  };
  return (await longest(jobs, crowd)) - (await longest(1, () => undefined));
}

describe('the result of another workspace waits for a copier for 10 s at most', () => {
  test.each([
    ['one workspace', () => ({ workspace_id: 'slow', provider: 'slow' })],
    ['one provider', (i: number) => ({ workspace_id: `slow-${i}`, provider: 'slow' })],
  ])('while %s has 50 results that come at 16 KiB a second', async (_, owner) => {
    const crowd = (fleet: Fleet) => {
      for (let i = 0; i < 50; i++) fleet.add(newId(), SLOW_RESULT, 0, { ...MADE, ...owner(i) });
    };
    expect(await delay(crowd, { jobs: 60, every: 7, change: MADE })).toBeLessThanOrEqual(10);
  });
});

describe('a job of another workspace takes hardly longer', () => {
  test.each([
    ['one workspace submits', 1],
    ['each of two workspaces submits', 2],
  ])('while %s 60 jobs a minute, each for 19 s', async (_, workspaces) => {
    const crowd = (fleet: Fleet) => {
      for (let i = 0; i < 3 * 60 * workspaces; i++) {
        const minute = Math.floor(i / (60 * workspaces));
        const change = { workspace_id: `slow-${i % workspaces}`, provider: 'slow' };
        fleet.add(newId(), SLOW_SUBMIT, 60 * minute, change);
      }
    };
    // Each begins as the crowd's next submits do, and is made while those that follow are under way.
    expect(await delay(crowd, { jobs: 3, every: 61 })).toBeLessThanOrEqual(2);
  });
});

test('every slow result arrives in the end, however long it waits for room', async () => {
  const fleet = new Fleet(50);
  const ids = Array.from({ length: 60 }, newId);
  for (const id of ids) {
    fleet.add(id, SLOW_RESULT, 0, { ...MADE, deadline_at: START.getTime() + 60 * SECOND });
  }
  await fleet.run(2 * 3_600);
  for (const id of ids) fleet.took(id);
});

test.each([
  [2, 1, 1],
  [5, 2, 4],
  [50, 20, 40],
])('of %i workers a workspace may occupy %i, and a provider %i', (workers, ofWorkspace, ofProvider) => {
  expect([workersOfWorkspace(workers), workersOfProvider(workers)]).toEqual([ofWorkspace, ofProvider]);
});
