import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { call, newWorkspace, stage } from './stage.ts';

const { endpoint, region, credentials } = stage.aws;
const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const inline = (bytes: Buffer) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
});
const withReferences = (...images: Buffer[]) => ({
  model: 'sandbox/clip-1',
  prompt: 'A fox',
  input_references: images.map(inline),
});

async function keptFor(workspaceId: string) {
  const { Environment } = (await deployedFunctions(stage.aws)).get('submit-video') ?? {};
  const Prefix = `inputs/${workspaceId}/`;
  return (await s3.send(new ListObjectsV2Command({ Bucket: Environment?.Variables?.RESULTS_BUCKET, Prefix })))
    .KeyCount;
}

test('a submit that nobody can pay for stores none of its images', async () => {
  const { id, key } = await newWorkspace();
  const { hash } = (await call('GET', '/key', { key })).body.data;
  const limited = await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { limit: 0 } });
  expect(limited.status).toBe(200);
  const submit = () => call('POST', '/videos', { key, json: withReferences(PIXEL) });
  expect((await submit()).status).toBe(402);
  expect(await keptFor(id)).toBe(0);
  await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { limit: null } });
  expect((await submit()).status).toBe(202);
  expect(await keptFor(id)).toBe(1);
});

test('a submit that is refused for its last image stores none of the others', async () => {
  const { id, key } = await newWorkspace();
  const refused = await call('POST', '/videos', {
    key,
    json: withReferences(PIXEL, PIXEL, Buffer.from('%PDF-1.7 no image')),
  });
  expect(refused.status).toBe(400);
  expect(refused.body.error.message).toContain('not an image');
  expect(await keptFor(id)).toBe(0);
});

test('of equal submits at the same time one is accepted, and the images of the others are deleted', async () => {
  const { id, key } = await newWorkspace();
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => call('POST', '/videos', { key, json: withReferences(PIXEL), headers })),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await keptFor(id)).toBe(1);
});
