import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkspacePolicy } from '../../../functions/guardrails/workspace-policy.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import type { VideoRequest } from '../../../functions/videos/catalogue/video-request.ts';
import { newJob } from '../../../functions/videos/jobs/new-job.ts';
import { openaiVideos } from '../../../functions/videos/providers/openai-videos.ts';
import type { ProvidersSettings } from '../../../functions/videos/providers/provider-settings.ts';
import { chooseForCaller } from '../../../functions/videos/routing/choose-for-caller.ts';
import { FigureNotes } from '../../../functions/videos/routing/figure-notes.ts';
import { FigureStore, figureBook } from '../../../functions/videos/routing/figure-store.ts';
import { ProviderContexts } from '../../../functions/videos/worker/provider-contexts.ts';
import { aPolicy } from '../../guardrails/a-policy.ts';
import { SweptStage, slowProvider } from '../worker/swept-stage.ts';
import { anOffer, aRequest, priced } from './an-offer.ts';

interface VideoServerOptions {
  /** How long a video takes, by the given clock. */
  readonly seconds: number;
  readonly now: () => Date;
}

/** A server with the `/v1/videos` API that remembers its jobs. It can be killed at any moment and started again. */
class VideoServer implements AsyncDisposable {
  /** The time at which each job was accepted. */
  readonly works = new Map<string, number>();
  submits = 0;
  /** How it answers a submit. */
  mode: 'takes it' | 'is busy' | 'takes it and says nothing' = 'takes it';
  readonly #options: VideoServerOptions;
  #server: Server | undefined;
  #port = 0;

  constructor(options: VideoServerOptions) {
    this.#options = options;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    const server = createServer((request, response) => this.#answer(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    return this;
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const [, id = '', part] = /^\/v1\/videos\/([^/]+)(\/content)?$/.exec(request.url ?? '') ?? [];
    if (request.method === 'POST') this.#submit(response);
    else if (part !== undefined) response.writeHead(200, { 'content-type': 'video/mp4' }).end('the video');
    else this.#tell(id, response);
  }

  #tell(id: string, response: ServerResponse): void {
    const since = this.#options.now().getTime() - (this.works.get(id) ?? Number.NaN);
    const status = since >= this.#options.seconds * 1000 ? 'completed' : 'in_progress';
    send(response, 200, { id, status });
  }

  #submit(response: ServerResponse): void {
    this.submits++;
    if (this.mode === 'is busy') send(response, 429, {});
    else this.#take(response);
  }

  #take(response: ServerResponse): void {
    const id = `${this.#port}-${this.submits}`;
    this.works.set(id, this.#options.now().getTime());
    if (this.mode === 'takes it') send(response, 200, { id });
    else response.destroy();
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const CENT = 10_000;

/** A stage with one model on three servers: the first is cheap, the second fast, the third good. */
class RoutedStage implements AsyncDisposable {
  readonly stage = new SweptStage(slowProvider());
  readonly #clock = this.stage.ports.now;
  readonly cheap = new VideoServer({ seconds: 200, now: this.#clock });
  readonly fast = new VideoServer({ seconds: 20, now: this.#clock });
  readonly good = new VideoServer({ seconds: 100, now: this.#clock });
  readonly servers = [this.cheap, this.fast, this.good];
  readonly #figures = new FigureStore(this.stage.dynamo, this.stage.stage.name('Routing-Figures'));
  readonly notes = new FigureNotes({
    store: this.#figures,
    now: this.#clock,
    random: this.stage.world.random,
    log: this.stage.ports.log,
  });
  readonly catalogue = new Catalogue([
    anOffer('cheap', { ...priced(CENT), dialect: {}, quality: 1 }),
    anOffer('fast', { ...priced(3 * CENT), dialect: {}, quality: 2 }),
    anOffer('good', { ...priced(2 * CENT), dialect: {}, quality: 3 }),
  ]);
  usualSort: WorkspacePolicy['sort'] = null;
  #jobs = 0;

  async start(): Promise<this> {
    await Promise.all(this.servers.map((server) => server.start()));
    const catalogue = async () => this.catalogue;
    const contexts = new ProviderContexts({
      catalogue,
      providers: this.#providers(),
      allowedHosts: new Set(),
      milliseconds: 5_000,
      keyOf: async () => undefined,
      now: this.#clock,
    });
    Object.assign(this.stage.ports, {
      catalogue,
      // All jobs are of one workspace, which may occupy two fifths of them at once.
      submitters: 50,
      provider: () => openaiVideos,
      providerContext: contexts.of.bind(contexts),
      noteEnd: (...job: Parameters<FigureNotes['noteEnd']>) => this.notes.noteEnd(...job),
      results: {
        save: async (key: string, body: AsyncIterable<Uint8Array>) => save(key, body),
        remove: async () => undefined,
      },
    });
    return this;
  }

  #providers(): ProvidersSettings {
    const settingsOf = ({ origin }: VideoServer) => ({
      adapter: 'openai-videos',
      base_url: `${origin}/v1`,
      credential: 'none' as const,
    });
    const { cheap, fast, good } = this;
    return { cheap: settingsOf(cheap), fast: settingsOf(fast), good: settingsOf(good) };
  }

  choose(request: VideoRequest) {
    const caller = { workspaceId: 'ws-1', keyHash: 'key-1', creator: 'user-1', guardrailId: null };
    return chooseForCaller(request, caller, {
      catalogue: async () => this.catalogue,
      providers: this.#providers(),
      policyOf: async () => aPolicy({ sort: this.usualSort }),
      guardrailOf: async () => undefined,
      dataDiscount: 0,
      keysOf: async () => [],
      figures: figureBook({ store: this.#figures, now: this.#clock, log: this.stage.ports.log }),
      now: this.#clock,
    });
  }

  async order(fields: Record<string, unknown> = {}): Promise<string[]> {
    const { candidates } = await this.choose(aRequest(fields));
    return candidates.map(({ offer }) => offer.provider);
  }

  async submit(fields: Record<string, unknown> = {}) {
    const request = aRequest({ duration: 1, ...fields });
    const number = ++this.#jobs;
    const job = newJob(
      {
        id: `vid_${String(number).padStart(26, '0')}`,
        principal: {
          keyHash: 'key-1',
          kind: 'normal',
          workspaceId: 'ws-1',
          creator: 'key-1',
          rateLimits: {},
          scope: UNLIMITED,
          endsAt: null,
        },
        model: request.model,
        choice: await this.choose(request),
        options: request.provider.options,
        callbackUrl: undefined,
        publicUrl: 'https://api.example',
      },
      this.#clock(),
    );
    return this.stage.admit(job);
  }

  async run(minutes: number): Promise<void> {
    await this.stage.run(minutes, () => this.notes.flush());
    await this.notes.flush();
  }

  jobs(ids: readonly string[]) {
    return Promise.all(ids.map(async (id) => (await this.stage.jobs.find(id))!));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.servers.map((server) => server.kill()));
  }
}

async function save(key: string, body: AsyncIterable<Uint8Array>) {
  const bytes = Buffer.concat(await Array.fromAsync(body));
  return { key, size_bytes: bytes.length, sha256: 'digest' };
}

let routed: RoutedStage;
beforeEach(async () => {
  routed = await new RoutedStage().start();
});
afterEach(() => routed[Symbol.asyncDispose]());

const many = <T>(count: number, make: () => Promise<T>) =>
  Array.from({ length: count }, () => undefined).reduce<Promise<T[]>>(
    async (made) => [...(await made), await make()],
    Promise.resolve([]),
  );

describe('a stage with one model at three servers', () => {
  test('sends each request to the offer of its sort, by measured figures', async () => {
    for (const only of [['cheap'], ['fast'], ['good']]) {
      await many(6, () => routed.submit({ provider: { only } }));
    }
    await routed.run(8);
    expect(await routed.order({ provider: { sort: 'price' } })).toEqual(['cheap', 'good', 'fast']);
    expect(await routed.order({ provider: { sort: 'latency' } })).toEqual(['fast', 'good', 'cheap']);
    expect(await routed.order({ provider: { sort: 'throughput' } })).toEqual(['fast', 'good', 'cheap']);
    expect(await routed.order({ provider: { sort: 'exacto' } })).toEqual(['good', 'fast', 'cheap']);

    expect((await routed.order())[0]).toBe('cheap');
    for (const [sort, first] of [
      ['latency', 'fast'],
      ['exacto', 'good'],
    ] as const) {
      routed.usualSort = sort;
      expect((await routed.order())[0]).toBe(first);
    }
    const [job] = await many(1, () => routed.submit({ provider: { sort: 'latency' } }));
    await routed.run(3);
    expect((await routed.jobs([job!.id]))[0]).toMatchObject({ status: 'completed', provider: 'fast' });
  });

  test('loses no job, and makes none twice, when one is killed under load and comes back', async () => {
    // An instance makes six calls to a provider at once: a seventh job would go to the next server.
    const early = await many(6, () => routed.submit());
    await routed.run(1);
    expect(routed.cheap.works.size).toBe(6);
    await routed.cheap.kill();
    const late = await many(14, () => routed.submit());
    await routed.run(3);
    await routed.cheap.start();
    await routed.run(12);

    const jobs = await routed.jobs([...early, ...late].map(({ id }) => id));
    expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 'completed'));
    expect(jobs.slice(0, 6).every(({ provider }) => provider === 'cheap')).toBe(true);
    expect(jobs.slice(6).some(({ provider }) => provider === 'good')).toBe(true);
    const made = routed.servers.reduce((sum, { works }) => sum + works.size, 0);
    expect(made).toBe(20);
    for (const { provider, cost_micros } of jobs) {
      expect(cost_micros).toBe({ cheap: CENT, good: 2 * CENT, fast: 3 * CENT }[provider!]);
    }
    for (const account of await routed.stage.accountsOf(jobs[0]!)) {
      const spent = jobs.reduce((sum, { cost_micros: cost = 0 }) => sum + cost, 0);
      expect(account).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: spent, spent } });
    }
  });

  test('holds the most expensive candidate, and charges the one that served', async () => {
    const [job] = await many(1, () => routed.submit());
    for (const account of await routed.stage.accountsOf(job!)) {
      expect(account).toMatchObject({ reserved: 3 * CENT, open_jobs: 1 });
    }
    routed.cheap.mode = 'is busy';
    await routed.run(4);
    expect((await routed.jobs([job!.id]))[0]).toMatchObject({
      status: 'completed',
      provider: 'good',
      cost_micros: 2 * CENT,
      history: [
        { status: 'pending' },
        { status: 'pending', provider: 'cheap', detail: 'The provider returned 429' },
        { status: 'in_progress', provider: 'good' },
        { status: 'completed' },
      ],
    });
    for (const account of await routed.stage.accountsOf(job!)) {
      expect(account).toMatchObject({ reserved: 0, lifetime: { committed: 2 * CENT, spent: 2 * CENT } });
    }
  });

  test('sends a job nowhere else if it may have been accepted, and fails it at no cost', async () => {
    routed.cheap.mode = 'takes it and says nothing';
    const [job] = await many(1, () => routed.submit());
    await routed.run(4);
    const [ended] = await routed.jobs([job!.id]);
    expect(ended).toMatchObject({ status: 'failed', error: expect.stringMatching(/did not confirm/) });
    expect(ended).not.toHaveProperty('cost_micros');
    expect(routed.servers.map(({ submits }) => submits)).toEqual([1, 0, 0]);
  });

  test('uses no fallback if the caller forbids it', async () => {
    routed.cheap.mode = 'is busy';
    const [job] = await many(1, () => routed.submit({ provider: { allow_fallbacks: false } }));
    await routed.run(2);
    expect(routed.fast.submits + routed.good.submits).toBe(0);
    routed.cheap.mode = 'takes it';
    await routed.run(6);
    expect((await routed.jobs([job!.id]))[0]).toMatchObject({ status: 'completed', provider: 'cheap' });
  });
});
