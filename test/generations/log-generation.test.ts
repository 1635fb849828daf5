import { DeleteCommand, GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { ContentStore } from '../../functions/generations/content-store.ts';
import { generationOf } from '../../functions/generations/generation.ts';
import { type LogPorts, logGeneration } from '../../functions/generations/log-generation.ts';
import { openContent, sealContent, unsealContent } from '../../functions/generations/sealed-content.ts';
import { micros } from '../../functions/money/micros.ts';
import type { Job, JobWithRequest } from '../../functions/videos/jobs/job.ts';
import { JobStore } from '../../functions/videos/jobs/job-store.ts';
import { removeJob } from '../../functions/videos/jobs/remove-job.ts';
import {
  createWorkspace,
  type NewWorkspace,
  newWorkspaceSchema,
} from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld, faultAt, noFaults } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';
import { aJob, START } from '../videos/jobs/job-fixture.ts';

const WORKSPACE = 'ws-1';
const ENDED: Partial<JobWithRequest> & { readonly generation_id: string } = {
  generation_id: 'gen_01jg000000000000000000000a',
  status: 'completed',
  phase: 'settled',
  cost_micros: micros(40_000),
  completed_at: START.toISOString(),
  outputs: [{ key: 'kept-30d/x', size_bytes: 7, sha256: 'digest' }],
};
const PROMPT = 'A fox that nobody else may read of';
const DAY = 86_400_000;

let world: AwsWorld;
let stage: DeployedStage;
let job: JobWithRequest;
let jobs: JobStore;
let contents: ContentStore;
let ports: LogPorts;
let aws: ReturnType<AwsWorld['startProcess']>;

beforeEach(async () => {
  world = new AwsWorld({ start: START });
  waitBy(world);
  stage = new DeployedStage(world);
  aws = world.startProcess('logger');
  const { dynamo, kms } = aws;
  const kmsKeyId = stage.name('Generations-Key');
  jobs = new JobStore(dynamo, stage.name('Videos-Jobs'), () => undefined);
  contents = new ContentStore(dynamo, stage.name('Generations-Logs'));
  const note = () => undefined;
  ports = {
    workspaces: new WorkspaceStore(dynamo, stage.name('Workspaces')),
    jobs,
    contents,
    inputs: { files: { find: async () => undefined }, openInline: async () => undefined },
    seal: (owner, text) => sealContent(kms, kmsKeyId, owner, text),
    keptDays: 30,
    log: { info: note, warn: note, error: note },
  };
  job = aJob({ ...ENDED, request: { ...aJob().request, prompt: PROMPT } });
  await transact(dynamo, { job: jobs.insertion(job) });
});

async function workspaceThat(settings: Partial<NewWorkspace>): Promise<void> {
  const requested = v.parse(newWorkspaceSchema, { name: 'W', slug: 'w', ...settings });
  const workspace = createWorkspace(requested, { id: WORKSPACE, createdBy: 'key', now: START });
  await new WorkspaceStore(aws.dynamo, stage.name('Workspaces')).create(
    workspace,
    listsOf(aws.dynamo, stage),
  );
}
const logging = () => workspaceThat({ is_observability_io_logging_enabled: true });

const logIt = () => logGeneration({ workspace_id: WORKSPACE, job_id: job.id }, ports);
const owner = { workspace_id: WORKSPACE, generation_id: ENDED.generation_id };

const open = (now = START) =>
  openContent(generationOf(job)!, {
    contents,
    unseal: (whose, sealed) => unsealContent(aws.kms, stage.name('Generations-Key'), whose, sealed),
    now: () => now,
  });

async function rows(): Promise<Record<string, unknown>[]> {
  const scan = new ScanCommand({ TableName: stage.name('Generations-Logs'), ConsistentRead: true });
  return (await aws.dynamo.send(scan)).Items ?? [];
}

/** The AWS operations that this work calls. */
async function callsOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = world.journal.calls.length;
  await work();
  return world.journal.calls.slice(before).map(({ operation }) => operation);
}

describe('a workspace that logs', () => {
  beforeEach(logging);

  test('can read the inputs and outputs, which are stored encrypted', async () => {
    await logIt();
    expect(await open()).toMatchObject({
      id: ENDED.generation_id,
      key_hash: 'hash',
      total_cost: 0.04,
      input: { prompt: PROMPT, parameters: { width: 640, height: 360, duration: 4 } },
      output: { media: [{ content_type: 'video/mp4', size_bytes: 7, sha256: 'digest' }] },
    });
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(Object.keys(row ?? {}).toSorted()).toEqual([
      'content',
      'data_key',
      'expires_at',
      'generation_id',
      'workspace_id',
    ]);
    expect(Buffer.from(row?.content as Uint8Array).includes('fox')).toBe(false);
  });

  test('pays for a log with three reads, a data key and a write', async () => {
    expect(await callsOf(logIt)).toEqual([
      ...['GetItem', 'GetItem', 'GetItem'],
      ...['GenerateDataKey', 'TransactWriteItems'],
    ]);
  });

  test('keeps the first log of a generation whose event comes again', async () => {
    await logIt();
    const first = await rows();
    await logIt();
    expect(await rows()).toEqual(first);
  });

  test.each([
    ['to the last moment', 30 * DAY - 1, PROMPT],
    ['and no longer', 30 * DAY, undefined],
  ])('can read it for its retention time, %s', async (_, after, prompt) => {
    await logIt();
    const read = open(new Date(START.getTime() + after));
    const found = await read.catch(({ message }: Error) => message);
    expect(typeof found === 'string' ? undefined : found.input.prompt).toBe(prompt);
    if (prompt === undefined)
      expect(found).toBe(
        'There is no log of this generation: it has not been logged, or its log has expired',
      );
  });

  test('loses all its logs when it is deleted, and only its own', async () => {
    await logIt();
    const remove = (id: string) => Array.fromAsync(contents.removeAll(id));
    await remove('ws-2');
    expect(await rows()).toHaveLength(1);
    await remove(WORKSPACE);
    expect(await rows()).toEqual([]);
  });
});

describe('nothing is logged', () => {
  test.each<[string, Partial<NewWorkspace>]>([
    ['of a workspace that does not log', {}],
    ['by keys that are not listed', { io_logging_api_key_ids: ['other'] }],
    ['outside the sample', { io_logging_sampling_rate: 0.0001 }],
  ])('%s', async (_, settings) => {
    const on = Object.keys(settings).length > 0;
    await workspaceThat({ is_observability_io_logging_enabled: on, ...settings });
    // Reads the workspace, and the job only if the workspace logs.
    expect(await callsOf(logIt)).toEqual(on ? ['GetItem', 'GetItem'] : ['GetItem']);
    expect(await rows()).toEqual([]);
  });

  test('of a workspace that has been deleted', async () => {
    await logIt();
    expect(await rows()).toEqual([]);
  });

  test('of a job that no provider had accepted', async () => {
    await logging();
    const { generation_id: _, ...refused } = aJob({ ...ENDED, id: 'vid_01jg000000000000000000000b' });
    await transact(aws.dynamo, { job: jobs.insertion(refused) });
    await logGeneration({ workspace_id: WORKSPACE, job_id: refused.id }, ports);
    expect(await rows()).toEqual([]);
  });
});

describe('a job that is deleted', () => {
  const removal = {
    removeObjects: async () => undefined,
    removeLog: () => contents.remove(owner),
  };
  const remove = (row: Job = job) => removeJob(row, { jobs, ...removal });
  beforeEach(logging);

  test('loses its log, and gets none later', async () => {
    await logIt();
    await remove();
    await logIt();
    expect(await rows()).toEqual([]);
  });

  test('has no log even if it is deleted while it is logged', async () => {
    const sealing = ports.seal;
    ports = {
      ...ports,
      seal: async (...args) => {
        await remove();
        return sealing(...args);
      },
    };
    await logIt();
    expect(await rows()).toEqual([]);
  });

  test('has no log once its request is deleted', async () => {
    const sealing = ports.seal;
    ports = {
      ...ports,
      seal: async (...args) => {
        await jobs.removeRequest(job.id);
        return sealing(...args);
      },
    };
    await logIt();
    expect(await rows()).toEqual([]);
  });
});

describe('the largest job that is accepted', () => {
  /** JSON writes this character as six. An address writes the next one as nine. */
  const CONTROL = '\u0001';
  const ENCODED = '\u20ac';
  const address = `https://cdn.example/${ENCODED.repeat(2048)}`.slice(0, 2048);

  test('has a log like any other, because a log that cannot be stored would delay others', async () => {
    await logging();
    const request = {
      ...job.request,
      prompt: CONTROL.repeat(32_000),
      input_references: Array.from({ length: 16 }, () => ({ kind: 'image' as const, url: address })),
      options: { negative_prompt: 'x'.repeat(32_000) },
    };
    const largest = { ...job, id: 'vid_01jg000000000000000000000c', request };
    await transact(aws.dynamo, { job: jobs.insertion(largest) });
    await logGeneration({ workspace_id: WORKSPACE, job_id: largest.id }, ports);
    const { input } = await open();
    expect(input.prompt).toBe(request.prompt);
    expect(input.media).toHaveLength(16);
  });

  test('has no log if its provider made it too large, and delays nobody', async () => {
    await logging();
    const errors: unknown[] = [];
    ports = { ...ports, log: { ...ports.log, error: (...said) => errors.push(said) } };
    const large = {
      ...job,
      id: 'vid_01jg000000000000000000000d',
      upstream_id: 'x'.repeat(300_000),
      request: { ...job.request, prompt: CONTROL.repeat(32_000) },
    };
    await transact(aws.dynamo, { job: jobs.insertion(large) });
    await logGeneration({ workspace_id: WORKSPACE, job_id: large.id }, ports);
    expect(await rows()).toEqual([]);
    expect(errors).toEqual([
      ['generation too large for a log', { generation_id: ENDED.generation_id, bytes: expect.any(Number) }],
    ]);
  });
});

describe('a log that cannot be stored', () => {
  beforeEach(logging);

  const jobRow = async () => {
    const get = new GetCommand({ TableName: stage.name('Videos-Jobs'), Key: { id: job.id } });
    return (await aws.dynamo.send(get)).Item;
  };

  test.each(['GenerateDataKey', 'TransactWriteItems'])(
    'because %s is missing fails alone, and is stored at the retry',
    async (operation) => {
      const before = await jobRow();
      world.faults = faultAt({ operation }, 'error');
      await expect(logIt()).rejects.toThrow();
      world.faults = noFaults;
      expect(await rows()).toEqual([]);
      expect(await jobRow()).toEqual(before);
      await logIt();
      expect((await open()).input.prompt).toBe(PROMPT);
    },
  );

  test('is stored once if the response to its write was lost', async () => {
    world.faults = faultAt({ operation: 'TransactWriteItems' }, 'answer lost');
    await logIt().catch(() => undefined);
    world.faults = noFaults;
    await logIt();
    expect(await rows()).toHaveLength(1);
    expect((await open()).input.prompt).toBe(PROMPT);
  });

  test('is not written for a row that was deleted meanwhile', async () => {
    await aws.dynamo.send(new DeleteCommand({ TableName: stage.name('Videos-Jobs'), Key: { id: job.id } }));
    await logIt();
    expect(await rows()).toEqual([]);
  });
});
