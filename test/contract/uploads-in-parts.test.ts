import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { LARGEST_FILE, LARGEST_PART } from '../../functions/files/size-limits.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { dynamo } from './aws.ts';
import { call, form, newWorkspace, stage } from './stage.ts';

const { FILES_TABLE: TableName, FILES_BUCKET: Bucket } = stage.uploadEnvironment;
const s3 = new S3Client({ ...stage.aws, forcePathStyle: true });
afterAll(() => s3.destroy());

const MEBIBYTE = 1024 ** 2;

/** Everything stored for a workspace's files. */
async function holdings(workspaceId: string) {
  const objects = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: `${workspaceId}/` }));
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket }));
  const Key = { workspace_id: workspaceId, id: '#usage' };
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
  const unfinished = Uploads.filter(({ Key }) => Key?.startsWith(workspaceId)).length;
  return { objects: objects.KeyCount, unfinished, bytes: Item?.bytes ?? 0 };
}

async function newClient() {
  const workspace = await newWorkspace();
  const client = new OpenAI({ baseURL: stage.baseUrl, apiKey: workspace.key, maxRetries: 0 });
  const begin = (bytes: number, more: object = {}) =>
    client.uploads.create({
      bytes,
      filename: 'a.txt',
      mime_type: 'text/plain',
      purpose: 'user_data',
      ...more,
    });
  const add = async (upload: { id: string }, bytes: Buffer | string) =>
    (await client.uploads.parts.create(upload.id, { data: new File([bytes], 'part') })).id;
  return { ...workspace, uploads: client.uploads, files: client.files, begin, add };
}

/** The deployed function, with its own rights. */
async function sweep(): Promise<void> {
  const { FunctionName } = (await deployedFunctions(stage.aws)).get('sweep-files') ?? {};
  const lambda = new LambdaClient(stage.aws);
  const { FunctionError, Payload } = await lambda.send(new InvokeCommand({ FunctionName }));
  expect([FunctionError, Payload?.transformToString()]).toEqual([undefined, 'null']);
  lambda.destroy();
}

/** A FLAC by its beginning. */
const sound = (bytes: number) => Buffer.concat([Buffer.from('fLaC'), randomBytes(bytes - 4)]);
const md5Of = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

describe('an upload in parts', () => {
  test('becomes one file, of parts in the order that its completion says', async () => {
    const { id, uploads, files, begin, add } = await newClient();
    const begun = Math.floor(Date.now() / 1000);
    const upload = await begin(15, {
      filename: 'b.jsonl',
      purpose: 'batch',
      expires_after: { anchor: 'created_at', seconds: 7200 },
    });
    expect(upload).toMatchObject({
      object: 'upload',
      status: 'pending',
      bytes: 15,
      filename: 'b.jsonl',
      file: null,
    });
    expect(upload.expires_at - upload.created_at).toBe(3600);
    expect(await holdings(id)).toEqual({ objects: 0, unfinished: 0, bytes: 15 });
    const last = await add(upload, '{"a":2}');
    const first = await add(upload, '{"a":1}\n');
    const completed = await uploads.complete(upload.id, {
      part_ids: [first, last],
      md5: md5Of(Buffer.from('{"a":1}\n{"a":2}')),
    });
    const { file } = completed;
    expect(completed).toEqual({ ...upload, status: 'completed', file });
    expect(file).toMatchObject({ object: 'file', bytes: 15, filename: 'b.jsonl', purpose: 'batch' });
    expect((file?.expires_at ?? 0) - begun).toBeGreaterThanOrEqual(7200);
    expect(await (await files.content(file?.id ?? '')).text()).toBe('{"a":1}\n{"a":2}');
    expect(await holdings(id)).toEqual({ objects: 1, unfinished: 0, bytes: 15 });
    // The same call again, whose answer was lost.
    const again = await uploads.complete(upload.id, { part_ids: [first, last] });
    expect(again.file).toEqual(file);
    await expect(uploads.complete(upload.id, { part_ids: [last, first] })).rejects.toThrow('part_ids');
    await expect(uploads.cancel(upload.id)).rejects.toThrow(
      '400 The upload is completed; you can cancel an upload only while it is pending',
    );
    await expect(add(upload, 'x')).rejects.toThrow('400 The upload is completed');
    await files.delete(file?.id ?? '');
    expect((await uploads.complete(upload.id, { part_ids: [first, last] })).file).toBeNull();
    expect(await holdings(id)).toEqual({ objects: 0, unfinished: 0, bytes: 0 });
  });

  test('takes parts of any size, beyond what a function takes too', async () => {
    const { id, uploads, files, begin, add } = await newClient();
    const whole = sound(14 * MEBIBYTE + 5);
    const cuts = [0, 3, MEBIBYTE, 8 * MEBIBYTE, 13 * MEBIBYTE, whole.length];
    const upload = await begin(whole.length, { filename: 'a.flac' });
    const part_ids = await Promise.all(
      cuts.slice(1).map((end, i) => add(upload, whole.subarray(cuts[i], end))),
    );
    const { file } = await uploads.complete(upload.id, { part_ids, md5: md5Of(whole) });
    const content = Buffer.from(await (await files.content(file?.id ?? '')).arrayBuffer());
    expect(content.equals(whole)).toBe(true);
    expect(await holdings(id)).toEqual({ objects: 1, unfinished: 0, bytes: whole.length });
    const native = await call('GET', `/files/${file?.id}`, { key: (await newWorkspace()).key });
    expect(native.status).toBe(404);
  });

  test('is refused like any other file by its content, and can be cancelled then', async () => {
    const { id, uploads, begin, add } = await newClient();
    const macros = readFileSync('test/fixtures/files/refused/zipfile-macros.docm');
    const upload = await begin(macros.length, { filename: 'a.docx' });
    const part_ids = [await add(upload, macros.subarray(0, 100)), await add(upload, macros.subarray(100))];
    await expect(uploads.complete(upload.id, { part_ids })).rejects.toThrow(/400 .*macro/i);
    expect(await holdings(id)).toEqual({ objects: 2, unfinished: 0, bytes: macros.length });
    expect(await uploads.cancel(upload.id)).toMatchObject({ status: 'cancelled', file: null });
    expect(await holdings(id)).toEqual({ objects: 0, unfinished: 0, bytes: 0 });
    expect(await uploads.cancel(upload.id)).toMatchObject({ status: 'cancelled' });
    await expect(uploads.complete(upload.id, { part_ids })).rejects.toThrow('400 The upload is cancelled');
    await expect(add(upload, 'x')).rejects.toThrow('400 The upload is cancelled');
  });

  test('is refused where its parts are not the whole file, each once, with the MD5 that is named', async () => {
    const { id, uploads, begin, add } = await newClient();
    const upload = await begin(8);
    const other = await begin(4);
    const foreign = await add(other, 'four');
    const [one, two] = [await add(upload, 'abcd'), await add(upload, 'efgh')];
    await expect(add(upload, 'ijklmnopq')).rejects.toThrow('the upload can receive only 8 more bytes');
    await expect(add(upload, '')).rejects.toThrow('empty');
    const completed = (...part_ids: string[]) => uploads.complete(upload.id, { part_ids });
    await expect(completed()).rejects.toThrow('400 part_ids');
    await expect(completed(one)).rejects.toThrow(
      'the parts must have 8 bytes in total, as declared when the upload was created; they have 4',
    );
    await expect(completed(one, one)).rejects.toThrow(
      'part_ids.1: is already in part_ids; name each part once',
    );
    await expect(completed(one, foreign)).rejects.toThrow('part_ids.1: is not a part of this upload');
    await expect(completed(one, '__proto__')).rejects.toThrow('part_ids.1: is not a part of this upload');
    const md5 = md5Of(Buffer.from('abcdefgh'));
    await expect(uploads.complete(upload.id, { part_ids: [two, one], md5 })).rejects.toThrow('md5: the MD5');
    await expect(uploads.complete(upload.id, { part_ids: [two, one], md5: 'x' })).rejects.toThrow(
      'md5: the MD5 digest must have 16 bytes',
    );
    await expect(uploads.complete('gw_upload_none', { part_ids: [one] })).rejects.toThrow(
      '404 No such upload',
    );
    const stranger = await newClient();
    await expect(stranger.uploads.complete(upload.id, { part_ids: [one, two] })).rejects.toThrow('404');
    expect(await holdings(id)).toMatchObject({ objects: 3, bytes: 12 });
    expect((await uploads.complete(upload.id, { part_ids: [one, two], md5 })).status).toBe('completed');
  });

  test('is limited in its whole and in each part', async () => {
    const { key, begin, add } = await newClient();
    await expect(begin(LARGEST_FILE + 1)).rejects.toThrow(
      `413 The file must be at most ${LARGEST_FILE} bytes`,
    );
    await expect(begin(0)).rejects.toThrow('400 bytes');
    const upload = await begin(LARGEST_FILE);
    const large = Buffer.alloc(LARGEST_PART + 1);
    await expect(add(upload, large)).rejects.toThrow(`413 The part must be at most ${LARGEST_PART} bytes`);
    const atProvider = { key, json: { bytes: 4, filename: 'a.txt' } };
    expect(await call('POST', '/uploads?provider=openai', atProvider)).toMatchObject({ status: 400 });
    const sent = { key, headers: { 'x-genway-strict': 'false' }, body: form('text', 'part', 'file') };
    const { status, body } = await call('POST', `/uploads/${upload.id}/parts`, sent);
    expect([status, body.error.message]).toEqual([400, 'The form must have one part named data']);
  });

  test('may get each part again, and makes the file of those that its completion names', async () => {
    const { id, uploads, begin, add } = await newClient();
    const upload = await begin(4);
    const part_ids = [await add(upload, 'text'), await add(upload, 'text')].slice(1);
    expect(await holdings(id)).toMatchObject({ objects: 2, bytes: 4 });
    expect((await uploads.complete(upload.id, { part_ids })).status).toBe('completed');
    expect(await holdings(id)).toMatchObject({ objects: 1, bytes: 4 });
  });

  test('expires after an hour, gives back its room, and leaves nothing', async () => {
    const { id, uploads, begin, add } = await newClient();
    const upload = await begin(8);
    const part = await add(upload, 'abcd');
    const Key = { workspace_id: id, id: upload.id };
    const hourAgo = new Date(Date.now() - 3_600_000);
    await dynamo.send(
      new UpdateCommand({
        ...{ TableName, Key, UpdateExpression: 'SET created_at = :then, due_at = :due' },
        ExpressionAttributeValues: { ':then': hourAgo.toISOString(), ':due': Date.now() - 1 },
      }),
    );
    await expect(add(upload, 'efgh')).rejects.toThrow('400 The upload is expired');
    await expect(uploads.complete(upload.id, { part_ids: [part] })).rejects.toThrow(
      '400 The upload is expired',
    );
    await sweep();
    expect(await holdings(id)).toEqual({ objects: 0, unfinished: 0, bytes: 0 });
    await expect(uploads.cancel(upload.id)).rejects.toThrow('400 The upload is expired');
    const { Item } = await dynamo.send(new GetCommand({ TableName, Key }));
    expect(Item?.due_at).toBeGreaterThan(Date.now());
    const UpdateExpression = 'SET due_at = :due';
    const ExpressionAttributeValues = { ':due': Date.now() - 1 };
    await dynamo.send(new UpdateCommand({ TableName, Key, UpdateExpression, ExpressionAttributeValues }));
    await sweep();
    expect((await dynamo.send(new GetCommand({ TableName, Key }))).Item).toBeUndefined();
    await expect(uploads.cancel(upload.id)).rejects.toThrow('404');
  });
});
