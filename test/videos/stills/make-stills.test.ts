import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { JobStore } from '../../../functions/videos/jobs/job-store.ts';
import { makeStills, type StillsPorts } from '../../../functions/videos/stills/make-stills.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob } from '../jobs/job-fixture.ts';

const output = { key: 'kept-1d/ws-1/vid/a/0.mp4', size_bytes: 3, sha256: '' };
const { request: _, ...row } = aJob({ status: 'completed', phase: 'settled', outputs: [output] });
const STILLS = [
  {
    thumbnail: 'kept-1d/ws-1/vid/a/0.thumbnail.jpg',
    last_frame: 'kept-1d/ws-1/vid/a/0.last.jpg',
    spritesheet: 'kept-1d/ws-1/vid/a/0.spritesheet.jpg',
  },
];

const PICTURES = {
  thumbnail: Buffer.from('small'),
  lastFrame: Buffer.from('last'),
  spritesheet: Buffer.from('all'),
};

let jobs: JobStore;
let objects: Map<string, string>;
let write: (job: Omit<Job, 'request'>) => Promise<unknown>;

beforeEach(async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = new DeployedStage(world).name('Videos-Jobs');
  jobs = new JobStore(dynamo, table, () => undefined);
  write = (Item) => dynamo.send(new PutCommand({ TableName: table, Item }));
  objects = new Map([[output.key, 'mp4']]);
});

const note = () => undefined;

const make = (change: Partial<StillsPorts> = {}) =>
  makeStills(row.id, {
    jobs,
    bucket: 'results',
    objects: {
      open: async ({ key }) => new Response(objects.get(key)).body ?? new ReadableStream(),
      put: async ({ key }, bytes, type) => void objects.set(key, `${type} ${Buffer.from(bytes)}`),
      remove: async ({ key }) => void objects.delete(key),
    },
    picturesOf: async () => PICTURES,
    log: { info: note, warn: note, error: note },
    ...change,
  });

test('a completed job gets its pictures once, beside its results', async () => {
  await write(row);
  await make();
  expect((await jobs.find(row.id))?.stills).toEqual(STILLS);
  expect([...objects].slice(1)).toEqual([
    [STILLS[0]?.thumbnail, 'image/jpeg small'],
    [STILLS[0]?.last_frame, 'image/jpeg last'],
    [STILLS[0]?.spritesheet, 'image/jpeg all'],
  ]);
  await make({ picturesOf: () => Promise.reject(new Error('made again')) });
});

test('a video of which only the ends can be decoded has no spritesheet', async () => {
  await write(row);
  const { spritesheet: _, ...ends } = PICTURES;
  await make({ picturesOf: async () => ends });
  const { spritesheet: __, ...expected } = STILLS[0] ?? {};
  expect((await jobs.find(row.id))?.stills).toEqual([expected]);
});

test('a video that cannot be decoded, or is too large for it, has none', async () => {
  await write(row);
  await make({ picturesOf: async () => undefined });
  expect((await jobs.find(row.id))?.stills).toEqual([{}]);
  await write({ ...row, outputs: [{ ...output, size_bytes: 2 ** 29 }] });
  await make({ picturesOf: () => Promise.reject(new Error('decoded')) });
  expect((await jobs.find(row.id))?.stills).toEqual([{}]);
});

test('a job that is deleted or purged meanwhile leaves no pictures, and no row', async () => {
  for (const left of [undefined, { ...row, outputs: undefined, purged_at: '2026-01-02' }]) {
    await write(row);
    await make({
      picturesOf: async () => {
        if (left === undefined) await jobs.remove(row.id);
        else await write(JSON.parse(JSON.stringify(left)));
        return PICTURES;
      },
    });
    expect([...objects.keys()]).toEqual([output.key]);
    expect((await jobs.find(row.id))?.stills).toBeUndefined();
  }
});

test('a video that could not be read is tried again', async () => {
  await write(row);
  const failing = make({ picturesOf: () => Promise.reject(new Error('S3 is throttled')) });
  await expect(failing).rejects.toThrow('S3 is throttled');
  expect((await jobs.find(row.id))?.stills).toBeUndefined();
});
