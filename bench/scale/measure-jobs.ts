import * as v from 'valibot';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { receiveCallback } from '../../functions/videos/callbacks/receive-callback.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import { AwsWorld, type Call } from '../../test/engines/index.ts';
import { bundleFunctions } from '../../test/simulation/bundle.ts';
import { Gateway } from '../../test/simulation/callers.ts';
import { Cloud } from '../../test/simulation/cloud.ts';
import { startConsumers } from '../../test/simulation/consumers.ts';
import { openStage } from '../../test/simulation/tenants.ts';
import { VIDEO } from '../../test/simulation/video.ts';

const SECOND = 1_000;
/** Time between two submits, long enough that no job waits for another. */
const APART = 20 * SECOND;
const issuedSchema = v.object({ key: v.string() });
const submittedSchema = v.object({ id: v.string() });

/** The calls to AWS, and the write units that they used. */
export interface Used {
  readonly calls: readonly Call[];
  /** For each table, including its indexes. */
  readonly writeUnits: ReadonlyMap<string, number>;
  /** Of the functions' log, as CloudWatch counts it. */
  readonly logBytes: number;
}

/** CloudWatch counts as many for each line besides its own. */
const BYTES_OF_LINE = 26;

/** A stage in which work is measured. */
interface Measured {
  readonly world: AwsWorld;
  readonly gateway: Gateway;
  /** Of a workspace with a budget, in a deployment with credits, so that a submit must read all that it may have to. */
  readonly key: string;
  readonly delivered: readonly string[];
}

/** A provider's work on a video. */
export interface Work {
  readonly seconds: number;
  /** Whether it calls when it has finished. @default false */
  readonly callsBack?: boolean;
}

/**
 * Does work through the real functions over AWS in memory.
 * @param earlier how often it is done before it is measured: that warms the functions, and borrows credits for later jobs
 */
async function measure(
  work: Work,
  { count, earlier }: { readonly count: number; readonly earlier: number },
  workOn: (stage: Measured) => Promise<(count: number) => Promise<void>>,
): Promise<Used> {
  const world = new AwsWorld({ keepsCalls: false });
  const delivered: string[] = [];
  let logBytes = 0;
  const cloud = await calmCloud(world, work, delivered, (line) => {
    if (world.journal.keeps) logBytes += Buffer.byteLength(line) + BYTES_OF_LINE;
  });
  const gateway = new Gateway(cloud, { isBad: false }, (_, what) => {
    throw new Error(what);
  });
  const key = await openWorkspace(cloud, gateway);
  startConsumers(cloud);
  const repeat = await workOn({ world, gateway, key, delivered });
  await repeat(earlier);
  const before = unitsOf(world);
  world.journal.keeps = true;
  await repeat(count);
  cloud.stop();
  const units = [...unitsOf(world)].map(([table, all]) => [table, all - (before.get(table) ?? 0)] as const);
  return { calls: world.journal.calls, writeUnits: new Map(units), logBytes };
}

/** Runs jobs one after the other, from submit to webhook. */
export const measureJobs = (jobs: number, work: Work, earlier = 2): Promise<Used> =>
  measure(work, { count: jobs, earlier }, async ({ world, gateway, key, delivered }) => async (count) => {
    const until = delivered.length + count;
    for (let job = 0; job < count; job++) {
      await submit(gateway, key);
      await world.clock.wait(APART);
    }
    while (delivered.length < until) await world.clock.wait(SECOND);
    await world.clock.wait(60 * SECOND);
  });

/** Asks for a job that has ended. */
export const measureReads = (reads: number): Promise<Used> =>
  measure({ seconds: 1 }, { count: reads, earlier: 2 }, async ({ world, gateway, key, delivered }) => {
    const video = await submit(gateway, key);
    while (delivered.length === 0) await world.clock.wait(SECOND);
    return async (count) => {
      for (let read = 0; read < count; read++) {
        const { status } = await gateway.ask('get-video', { key, path: { video } });
        if (status !== 200) throw new Error(`a job cannot be read: ${status}`);
      }
    };
  });

/** A cloud without faults. @param delivered gets every webhook */
async function calmCloud(
  world: AwsWorld,
  work: Work,
  delivered: string[],
  print: (line: string) => void,
): Promise<Cloud> {
  const provider = calmProvider(world, work, (job) => callback(cloud, job));
  const script = await bundleFunctions();
  const cloud: Cloud = new Cloud(world, {
    version: () => script,
    skew: () => () => 0,
    keeps: () => true,
    print,
    onFailure: (error) => {
      throw error;
    },
    outside: () => ({
      provider: () => provider,
      fetch: async (_, init) => {
        if (init?.method !== 'POST') return new Response(VIDEO);
        delivered.push(String(init.body));
        return new Response('thank you');
      },
    }),
  });
  return cloud;
}

/** What the endpoint for providers' callbacks does, once it has read the address. */
async function callback({ world, stage }: Cloud, job: string): Promise<void> {
  const { dynamo, sqs } = world.startProcess('receive-callback');
  const ports = {
    jobs: new JobStore(dynamo, stage.name('Videos-Jobs'), () => undefined),
    polls: new SqsFairQueue(sqs, stage.name('Videos-Queue')),
    keysOf: () => [],
    countRefused: () => undefined,
    now: () => world.clock.now(),
    log: { info: () => undefined },
  };
  const called = { headers: {}, body: Buffer.from('{"status":"OK"}') };
  await receiveCallback({ job, submit: 1, provider: 'fal' }, called, ports);
}

/** @returns a key of a workspace with a budget, in a deployment with credits */
async function openWorkspace(cloud: Cloud, gateway: Gateway): Promise<string> {
  const { management, tenants } = await openStage(cloud, gateway, cloud.world, cloud.world.random);
  const [tenant] = tenants;
  if (tenant === undefined) throw new Error('the stage has no tenant');
  const ask = async (...asked: Parameters<Gateway['ask']>) => {
    const answer = await gateway.ask(...asked);
    if (answer.status >= 300) throw new Error(`${asked[0]} is refused: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const asManager = { key: management };
  await ask('grant-credits', { ...asManager, idempotencyKey: 'measured', body: { amount_usd: 1_000 } });
  await ask('put-budget', {
    ...asManager,
    path: { workspace: tenant.id, interval: 'daily' },
    body: { limit_usd: 1_000 },
  });
  const issued = await ask('create-key', {
    ...asManager,
    body: { name: 'measured', workspace_id: tenant.id, limit: 1_000 },
  });
  return v.parse(issuedSchema, issued.body).key;
}

/** @returns the id of the job */
async function submit(gateway: Gateway, key: string): Promise<string> {
  const body = { model: 'fal/veo-3.1-fast', prompt: 'A fox runs through fresh snow'.repeat(10), duration: 4 };
  const answer = await gateway.ask('submit-video', { key, body });
  if (answer.status !== 202) throw new Error(`a submit is refused: ${JSON.stringify(answer.body)}`);
  return v.parse(submittedSchema, answer.body).id;
}

const unitsOf = ({ dynamodb }: AwsWorld) =>
  new Map(dynamodb.tables().map(({ name, writeUnits }) => [name, writeUnits]));

/** Each of its exchanges takes half a second. */
function calmProvider(
  { clock }: AwsWorld,
  { seconds, callsBack = false }: Work,
  callback: (job: string) => Promise<void>,
): VideoProvider {
  const doneAt = new Map<string, number>();
  const exchange = () => clock.wait(500);
  return {
    name: 'fal',
    manners: { resubmit: 'none', ...(callsBack && { callback: 'signed' }) },
    submit: async ({ id, callbackUrl }) => {
      await exchange();
      doneAt.set(id, clock.now().getTime() + seconds * SECOND);
      if (callbackUrl !== undefined) clock.ringIn(seconds * SECOND, () => void callback(id));
      return { ref: { id }, upstreamId: `up-${id}` };
    },
    poll: async ({ id }) => {
      await exchange();
      if (clock.now().getTime() < (doneAt.get(String(id)) ?? 0)) return { state: 'running' };
      return { state: 'succeeded', outputs: [{ kind: 'url', url: `https://cdn-of-vendors.com/${id}.mp4` }] };
    },
  };
}
