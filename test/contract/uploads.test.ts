import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { writtenCrc32 } from '../../functions/aws/object-upload/part.ts';
import { LARGEST_BODY, LARGEST_FILE } from '../../functions/files/size-limits.ts';
import { errorBody } from '../http/error-bodies.ts';
import { call, newWorkspace, stage } from './stage.ts';

const HEAD = Buffer.from(
  '--frontier\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n',
);
const TAIL = Buffer.from('\r\n--frontier--\r\n');
const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

/** The size of the form around the file, in bytes. */
const FRAMING = HEAD.length + TAIL.length;

/** A file of any size, in chunks: a PNG if its signature fits, otherwise text. */
function* fileOf(size: number): Generator<Buffer> {
  const first = size < 64 ? Buffer.alloc(size, 'x') : PNG_SIGNATURE;
  yield first;
  const block = Buffer.alloc(65_536, 0x5a);
  for (let left = size - first.length; left > 0; left -= block.length) yield block.subarray(0, left);
}

function* formOf(size: number): Generator<Buffer> {
  yield HEAD;
  yield* fileOf(size);
  yield TAIL;
}

interface UploadOptions {
  readonly url: string;
  readonly key: string;
  readonly size: number;
  /** Chunked transfer coding, which does not state the length in advance. */
  readonly chunked: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

function open({ url, key, size, chunked, headers: more }: UploadOptions) {
  const headers = {
    ...more,
    authorization: `Bearer ${key}`,
    'content-type': 'multipart/form-data; boundary=frontier',
    // Uploads that bypass the edge on purpose need its secret.
    'x-genway-edge': stage.edgeSecret,
  };
  const length = chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': size + FRAMING };
  return request(url, { method: 'POST', headers: { ...headers, ...length }, agent: false });
}

/** Sends a file of this size as far as the server reads it, and returns the answer. */
async function sendUpload(options: UploadOptions) {
  const outgoing = open(options);
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // The server may answer before the body ends, and then close the connection.
  const sent = pipeline(Readable.from(formOf(options.size)), outgoing).catch(() => undefined);
  const [answer] = await answered;
  const body = JSON.parse(await text(answer));
  if ((answer.statusCode ?? 0) >= 400) outgoing.destroy();
  await sent;
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Sends this many bytes of the body, waits for `meanwhile`, and hangs up. */
async function breakOffUpload(
  options: UploadOptions,
  after: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const outgoing = open(options).on('error', () => undefined);
  let left = after;
  for (const block of formOf(options.size)) {
    const piece = block.subarray(0, left);
    await new Promise((resolve) => outgoing.write(piece, resolve));
    left -= piece.length;
    if (left === 0) break;
  }
  await meanwhile();
  outgoing.destroy();
}

const { emulator, apiId, uploads } = stage.origins;
const MEBIBYTE = 1024 ** 2;

/** The upload endpoint in a function, in the server, and at the address that callers use. */
const adapters = {
  lambda: { url: `${emulator}/_aws/execute-api/${apiId}/api/v1/files`, takesLargeFiles: false },
  server: { url: `${uploads}/api/v1/files`, takesLargeFiles: true },
  edge: { url: `${stage.baseUrl}/files`, takesLargeFiles: true },
};

const { FILES_TABLE, FILES_BUCKET } = stage.uploadEnvironment;
const s3 = new S3Client({ ...stage.aws, forcePathStyle: true });
const dynamo = new DynamoDBClient(stage.aws);
afterAll(() => {
  s3.destroy();
  dynamo.destroy();
});

/** Everything stored for a workspace's files. */
async function holdings(workspaceId: string) {
  const objects = await s3.send(
    new ListObjectsV2Command({ Bucket: FILES_BUCKET, Prefix: `${workspaceId}/` }),
  );
  const parts = await s3.send(new ListMultipartUploadsCommand({ Bucket: FILES_BUCKET }));
  const key = { workspace_id: { S: workspaceId }, id: { S: '#usage' } };
  const usage = await dynamo.send(new GetItemCommand({ TableName: FILES_TABLE, Key: key }));
  return {
    objects: objects.KeyCount,
    unfinished: (parts.Uploads ?? []).filter(({ Key }) => Key?.startsWith(workspaceId)).length,
    bytes: Number(usage.Item?.bytes?.N ?? 0),
  };
}
const NOTHING = { objects: 0, unfinished: 0, bytes: 0 };

/** Waits until the server reports enough uploads. */
async function untilUploads(areEnough: (count: number) => boolean): Promise<void> {
  for (;;) {
    const response = await fetch(`${uploads}/health`);
    const { uploads: count } = v.parse(v.object({ uploads: v.number() }), await response.json());
    if (areEnough(count)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Digests of a test file of this size, in base64. */
function digestsOf(size: number) {
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let crc = 0;
  for (const block of fileOf(size)) {
    md5.update(block);
    sha256.update(block);
    crc = crc32(block, crc);
  }
  return { md5: md5.digest('base64'), sha256: sha256.digest('base64'), crc32: writtenCrc32(crc) };
}

const lengths = [
  ['with a length', false],
  ['without a length', true],
] as const;

describe.each(Object.entries(adapters))('an upload through the %s', (_, { url, takesLargeFiles }) => {
  let workspace: Awaited<ReturnType<typeof newWorkspace>>;
  beforeAll(async () => {
    workspace = await newWorkspace();
  });

  const sizes = [0, 1, 4 * MEBIBYTE - 1, 4 * MEBIBYTE, 4 * MEBIBYTE + 1];
  const limits = takesLargeFiles ? [LARGEST_FILE, LARGEST_FILE + 1, LARGEST_BODY - FRAMING + 1] : [];
  const cases = [...sizes, ...limits].flatMap((size) =>
    lengths.map(([how, chunked]) => [size, how, chunked] as const),
  );

  test.each(cases)('of %i bytes %s', async (size, _how, chunked) => {
    const before = await holdings(workspace.id);
    const { status, headers, body } = await sendUpload({ url, key: workspace.key, size, chunked });
    expect(headers['x-request-id']).toMatch(/^[!-~]+$/);
    if (size === 0) {
      expect([status, body.error.message]).toEqual([400, 'The file is empty']);
    } else if (size > LARGEST_FILE) {
      const message = `The file must be at most ${LARGEST_FILE} bytes`;
      expect([status, body]).toEqual([413, errorBody(413, 'payload_too_large', message)]);
    } else {
      expect([status, body.size_bytes]).toEqual([200, size]);
      expect(body.mime_type).toBe(size === 1 ? 'text/plain' : 'image/png');
      expect((await holdings(workspace.id)).bytes).toBe(before.bytes + size);
      const removed = await call('DELETE', `/files/${body.id}`, { key: workspace.key });
      expect(removed.status).toBe(200);
    }
    await untilUploads((count) => count === 0);
    expect(await holdings(workspace.id)).toEqual(NOTHING);
  });

  test('is compared with its stated digests', async () => {
    const size = takesLargeFiles ? 21 * MEBIBYTE + 7 : MEBIBYTE + 7;
    const sums = digestsOf(size);
    const upload = { url, key: workspace.key, size, chunked: takesLargeFiles };
    const headers = { 'content-md5': sums.md5, 'repr-digest': `sha-256=:${sums.sha256}:` };
    const { status, headers: told, body } = await sendUpload({ ...upload, headers });
    expect(status).toBe(200);
    expect(told).toMatchObject({ 'x-checksum-crc32': sums.crc32, 'x-checksum-sha256': sums.sha256 });
    expect((await call('DELETE', `/files/${body.id}`, { key: workspace.key })).status).toBe(200);

    const other = digestsOf(size + 1).crc32;
    const refused = await sendUpload({ ...upload, headers: { 'x-checksum-crc32': other } });
    const message = `x-checksum-crc32: the CRC-32 of the content is ${sums.crc32}, not ${other}`;
    const metadata = { path: 'x-checksum-crc32' };
    expect([refused.status, refused.body]).toEqual([
      400,
      errorBody(400, 'invalid_request', message, metadata),
    ]);
    await untilUploads((count) => count === 0);
    expect(await holdings(workspace.id)).toEqual(NOTHING);
  });

  test('is refused in the same way without a key', async () => {
    const { status, body } = await sendUpload({ url, key: 'nonsense', size: 1, chunked: false });
    expect([status, body.error.message]).toEqual([401, 'Invalid API key']);
  });

  test('into a workspace that the key may not act in is refused', async () => {
    const other = await newWorkspace();
    const refused = await sendUpload({
      ...{ url: `${url}?workspace_id=${other.id}`, key: workspace.key },
      ...{ size: 1, chunked: false },
    });
    expect([refused.status, refused.body.error.metadata.error_type]).toEqual([403, 'permission_denied']);
    const allowed = await sendUpload({
      ...{ url: `${url}?workspace_id=${other.id}`, key: stage.managementKey },
      ...{ size: 1, chunked: false },
    });
    expect(allowed.status).toBe(200);
    expect(await holdings(other.id)).toEqual({ objects: 1, unfinished: 0, bytes: 1 });
  });
});

describe('a large file', () => {
  test('comes back byte for byte', async () => {
    const { key } = await newWorkspace();
    const size = 21 * MEBIBYTE + 7;
    const { body } = await sendUpload({ url: adapters.edge.url, key, size, chunked: true });
    const { headers } = await call('GET', `/files/${body.id}/content`, { key });
    const download = await fetch(headers.get('location')!);
    const digest = async (chunks: AsyncIterable<Uint8Array>) => {
      const hash = createHash('sha256');
      for await (const chunk of chunks) hash.update(chunk);
      return hash.digest('hex');
    };
    expect(await digest(download.body!)).toBe(await digest(Readable.from(fileOf(size))));
  });
});

describe('a client that hangs up', () => {
  const size = 30 * MEBIBYTE;
  const moments: [string, number][] = [
    ['in the part’s header', 50],
    ['in the first part of the object', MEBIBYTE],
    ['after several parts of the object', 21 * MEBIBYTE],
    ['before the last boundary', size + FRAMING - 10],
    ['one byte before the end', size + FRAMING - 1],
  ];
  const cases = moments.flatMap(([when, after]) =>
    (['server', 'edge'] as const).map((adapter) => [when, adapter, after] as const),
  );

  test.each(cases)('%s leaves nothing behind in the %s', async (_, adapter, after) => {
    const { id, key } = await newWorkspace();
    const options = { url: adapters[adapter].url, key, size, chunked: after % 2 === 0 };
    await breakOffUpload(options, after, () => untilUploads((count) => count > 0));
    await untilUploads((count) => count === 0);
    expect(await holdings(id)).toEqual(NOTHING);
    expect((await call('GET', '/files', { key })).body.data).toEqual([]);
  });
});
