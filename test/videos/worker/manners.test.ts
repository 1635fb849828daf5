import { setImmediate as eventLoop } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../../functions/http/errors.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { type Manners, manners } from '../../../functions/videos/providers/manners.ts';
import type { VideoProvider } from '../../../functions/videos/providers/provider.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { cancelJob } from '../../../functions/videos/worker/cancel-job.ts';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { accountPorts } from '../providers/account-fixture.ts';
import { type Answer, aProviderJob, json, WireServer } from '../providers/wire-server.ts';
import { type VendorName, type Wire, wiresFor } from '../providers/wires.ts';
import { JobWorld } from './job-world.ts';

type State = 'queued' | 'running' | 'succeeded' | 'cancelled';

const WIRES = wiresFor('t1');

const vendors = Object.keys(WIRES).filter((name): name is VendorName => name in WIRES);
const mannersOf = (name: VendorName): Manners => manners[name];
const cancelling = vendors.filter((name) => mannersOf(name).cancel !== undefined);
const others = vendors.filter((name) => mannersOf(name).cancel === undefined);

const unknown: Answer = json(404, {});
const lost: Answer = (response) => response.destroy();

/** A vendor with one task, which behaves as the table says, and Genway with the job that it is for. */
class Vendor implements AsyncDisposable {
  state: State = 'queued';
  wasStopped = false;
  wasDeleted = false;
  /** Whether the answer to a cancel gets lost. */
  losesAnswers = false;
  /** Happens before a request to cancel is served. */
  onCancel: () => void = () => undefined;
  readonly provider: VideoProvider;
  readonly #server: WireServer;
  readonly #wire: Wire;
  readonly #cancels: Manners['cancel'];

  private constructor(server: WireServer, name: VendorName) {
    this.#server = server;
    this.#wire = WIRES[name];
    this.#cancels = mannersOf(name).cancel;
    this.provider = providerOf(name);
    const { submit, created, poll, result, cancel } = this.#wire;
    const url = `${server.origin}/v.mp4?alt=media`;
    server.on(submit, json(200, created));
    server.on(poll, (...exchange) => this.#told(url)(...exchange));
    if (result !== undefined) server.on(result[0], json(200, result[1](url)));
    if (cancel !== undefined) server.on(cancel, (...exchange) => this.#cancelled(url)(...exchange));
    server.on('GET /v.mp4?alt=media', (response) => response.writeHead(200).end('the video'));
  }

  static async open(name: VendorName): Promise<Vendor> {
    return new Vendor(await WireServer.open(), name);
  }

  get requests(): string[] {
    return this.#server.requests.map(({ method, url }) => `${method} ${url}`);
  }

  get bodies(): string[] {
    return this.#server.requests.map(({ body }) => body);
  }

  get context() {
    const account = ownAccount({}, accountPorts);
    return this.#server.context(this.#wire.base ?? '', { account });
  }

  lookUpAs(jobId: string): void {
    this.#server.on(`${this.#wire.poll.replace(/[^/]+$/, jobId)}`, json(200, this.#wire.created));
  }

  /** A job that it has accepted, and is being polled. */
  async world(): Promise<JobWorld> {
    const { context, provider } = this;
    const { ref } = await provider.submit(aProviderJob(), context);
    const job = aJob({ provider: provider.name, phase: 'polling', status: 'in_progress', ref });
    const world = new JobWorld({}, job);
    Object.assign(world.ports, { provider: () => provider, providerContext: async () => context });
    return world;
  }

  finish(): void {
    if (!this.wasStopped) this.state = 'succeeded';
  }

  #told(url: string): Answer {
    const isUnknown = this.wasDeleted || (this.wasStopped && this.#cancels?.staysReadable !== true);
    if (isUnknown) return unknown;
    const [queued, running, succeeded, cancelled = ''] = this.#wire.words;
    return json(200, this.#wire.told({ queued, running, succeeded, cancelled }[this.state], url));
  }

  #cancelled(url: string): Answer {
    this.onCancel();
    const deletes = this.state === 'succeeded' && !this.wasDeleted && this.#cancels?.deletesFinished === true;
    if (!deletes && !this.#stops()) return json(this.#wire.refusal ?? 409, {});
    if (deletes) this.wasDeleted = true;
    else {
      this.wasStopped = true;
      this.state = 'cancelled';
    }
    return this.losesAnswers ? lost : this.#reply(url);
  }

  /** A task can be read in the answer itself, if it can be read at all. */
  #reply(url: string): Answer {
    const told = this.#told(url);
    return told === unknown ? json(200, {}) : told;
  }

  #stops(): boolean {
    return this.state === 'queued' || (this.state === 'running' && this.#cancels?.until === 'finished');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

/** What a caller is told who cancels. */
async function askToCancel(world: JobWorld): Promise<'cancelled' | 'requested' | 'refused'> {
  const answer = await cancelJob(world.job, world.ports).catch((error: unknown) => {
    if (error instanceof Conflict) return 'refused' as const;
    throw error;
  });
  if (answer === 'refused') return answer;
  if (answer.status === 'cancelled') return 'cancelled';
  expect(answer.cancel_requested_at).toBeDefined();
  return 'requested';
}

/** The ends that a job may have after its caller has been told so. */
const ENDS: Readonly<Record<string, readonly Job['status'][]>> = {
  cancelled: ['cancelled'],
  requested: ['cancelled', 'completed'],
  refused: ['completed'],
};

describe.each(cancelling)('at %s', (name) => {
  const { until = 'finished', deletesFinished = false } = mannersOf(name).cancel ?? {};

  test.each([
    ['queued', true],
    ['running', until === 'finished'],
    ['succeeded', false],
  ] as const)(
    'work that is %s can be cancelled: %p, and callers are told the truth',
    async (state, stops) => {
      await using vendor = await Vendor.open(name);
      const world = await vendor.world();
      vendor.state = state;
      const told = await askToCancel(world);
      expect(await askToCancel(world)).toBe(told);
      vendor.finish();
      await world.run();
      expect(world.job.status).toBe(stops ? 'cancelled' : 'completed');
      expect(ENDS[told]).toContain(world.job.status);
      expect([vendor.wasStopped, vendor.wasDeleted]).toEqual([stops, false]);
    },
  );

  test('work that was cancelled in an answer that got lost ends so', async () => {
    await using vendor = await Vendor.open(name);
    const world = await vendor.world();
    vendor.losesAnswers = true;
    expect([await askToCancel(world), await askToCancel(world)]).toEqual(['requested', 'requested']);
    vendor.losesAnswers = false;
    const begun = world.now;
    await world.run();
    expect([world.job.status, vendor.wasStopped]).toEqual(['cancelled', true]);
    expect(world.now - begun).toBeLessThan(60_000);
  });

  test('work that finishes in the very moment of its cancellation holds no money until its deadline', async () => {
    await using vendor = await Vendor.open(name);
    const world = await vendor.world();
    vendor.onCancel = () => vendor.finish();
    const told = await askToCancel(world);
    await world.run();
    expect(ENDS[told]).toContain(world.job.status);
    expect(vendor.wasDeleted).toBe(deletesFinished);
    expect(world.job.status).toBe(deletesFinished ? 'cancelled' : 'completed');
  });
});

test.each(others)('%s is not asked to cancel, and callers are told that it cannot', async (name) => {
  await using vendor = await Vendor.open(name);
  const world = await vendor.world();
  expect([await askToCancel(world), await askToCancel(world)]).toEqual(['refused', 'refused']);
  expect(vendor.requests).toEqual([WIRES[name].submit]);
  expect(vendor.provider.cancel).toBeUndefined();
});

describe('a submit whose answer is lost', () => {
  const ask = (kind: Manners['resubmit']) => vendors.filter((name) => mannersOf(name).resubmit === kind);
  const job = aProviderJob();

  test.each(ask('token'))('is recognised by %s when it is sent again', async (name) => {
    await using vendor = await Vendor.open(name);
    await vendor.provider.submit(job, vendor.context);
    await vendor.provider.submit(job, vendor.context);
    const [first, second] = vendor.bodies;
    expect(first).toContain(job.id);
    expect(second).toBe(first);
  });

  test.each(ask('lookup'))('is found at %s by our id', async (name) => {
    await using vendor = await Vendor.open(name);
    const submission = await vendor.provider.submit(job, vendor.context);
    expect(vendor.bodies[0]).toContain(job.id);
    expect(await vendor.provider.lookup?.(job.id, vendor.context)).toBe('unknown');
    vendor.lookUpAs(job.id);
    expect(await vendor.provider.lookup?.(job.id, vendor.context)).toEqual(submission);
  });

  test.each(ask('none'))('is neither sent to %s again nor looked for', async (name) => {
    expect(providerOf(name).lookup).toBeUndefined();
  });
});

/** Gives other work a turn, between 0 and 7 times. */
const jitter = (seed: number) => {
  let drawn = seed + 1;
  return async () => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    for (let turn = drawn % 8; turn > 0; turn--) await eventLoop();
  };
};

describe('polls and cancellations at the same time', () => {
  const deleting = cancelling.filter((name) => mannersOf(name).cancel?.deletesFinished === true);
  const together = async (world: JobWorld, seed: number) => {
    world.turn = jitter(seed);
    const poll = world.deliver(world.messages[0]!);
    const told = await Promise.all([askToCancel(world), askToCancel(world), poll]);
    world.turn = async () => undefined;
    await world.run();
    return told.slice(0, 2);
  };

  test.each(deleting)('destroy none of 20 videos that %s has finished', async (name) => {
    for (let seed = 0; seed < 20; seed++) {
      await using vendor = await Vendor.open(name);
      const world = await vendor.world();
      vendor.state = 'succeeded';
      await together(world, seed);
      expect([world.job.status, vendor.wasDeleted]).toEqual(['completed', false]);
    }
  });

  test.each(cancelling)('tell none of 50 callers another end than a job has at %s', async (name) => {
    for (let seed = 0; seed < 25; seed++) {
      await using vendor = await Vendor.open(name);
      const world = await vendor.world();
      for (const told of await together(world, seed)) expect(ENDS[told!]).toContain(world.job.status);
      expect(world.job.status).toBe('cancelled');
    }
  });
});
