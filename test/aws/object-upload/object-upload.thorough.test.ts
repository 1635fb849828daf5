import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { exchange } from '../../../functions/aws/object-upload/exchange.ts';
import { ObjectRequests, type RequestOptions } from '../../../functions/aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../../functions/aws/object-upload/object-upload.ts';
import { BlockPool, writtenCrc32 } from '../../../functions/aws/object-upload/part.ts';
import type { AwsRole } from '../../../functions/aws/own-role.ts';
import { isOverload } from '../../../functions/aws/retry.ts';
import { pour } from '../../../functions/byte-streams.ts';
import { type Fault, type S3Call, S3Server } from './s3-server.ts';

const PART = 100_000;
const OBJECT = { bucket: 'bucket', key: 'w1/a file', contentType: 'video/mp4' };
const PATH = '/bucket/w1/a%20file';

let server: S3Server;
let role: AwsRole;
let endpoint: string;
beforeEach(async () => {
  server = new S3Server();
  endpoint = await server.listen();
  role = roleAt(endpoint);
});
afterEach(() => server.close());

const roleAt = (endpoint: string): AwsRole => ({
  ...{ endpoint, region: 'us-east-1' },
  credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' },
});
const begin = (options: Partial<RequestOptions> = {}, partBytes = PART) =>
  new ObjectUploads(new ObjectRequests(role, { random: () => 0, ...options }), { partBytes }).begin(OBJECT);

const bytesOf = (length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + (i >> 8)) & 0xff));
async function* cut(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const upload = (bytes: Buffer, options: Partial<RequestOptions> = {}, size = 9_999) =>
  pour(cut(bytes, size), begin(options));
const failure = (bytes: Buffer, options: Partial<RequestOptions> = {}) =>
  upload(bytes, options).then(
    () => undefined,
    (error: unknown) => error,
  );

/** A fault for the first `times` requests of one kind. */
const faulty =
  (operation: S3Call['operation'], fault: Fault, { part = 0, times = 1 } = {}) =>
  (call: S3Call) =>
    call.operation === operation && call.part === part && call.attempt <= times ? fault : undefined;

describe('an object', () => {
  test.each([
    ['of no bytes', 0, 0],
    ['of one byte', 1, 0],
    ['of a whole part', PART, 0],
    ['of a byte more', PART + 1, 2],
    ['of two parts', 2 * PART, 2],
    ['of many', 5 * PART + 7, 6],
  ])('%s is written in as few requests as possible', async (_, length, parts) => {
    const bytes = bytesOf(length);
    expect(await upload(bytes)).toEqual({ crc32: writtenCrc32(crc32(bytes)) });
    expect(server.objects.get(PATH)?.equals(bytes)).toBe(true);
    expect(server.called('part')).toHaveLength(parts);
    expect(server.called('put')).toHaveLength(parts === 0 ? 1 : 0);
    expect(server.called('create')).toHaveLength(parts === 0 ? 0 : 1);
    expect(server.uploads.size).toBe(0);
  });

  test.each([
    ['in one request', 10, 'put'],
    ['in parts', 2 * PART, 'create'],
  ] as const)('has its type, written %s', async (_, length, operation) => {
    await upload(bytesOf(length));
    expect(server.called(operation)[0]?.headers['content-type']).toBe('video/mp4');
  });

  test('is signed with the client’s credentials, and not hashed over loopback', async () => {
    await upload(bytesOf(10));
    expect(server.calls[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=a\/\d{8}\/us-east-1\/s3\/aws4_request, /,
      ),
      'x-amz-security-token': 'c',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    });
  });

  test('is signed with new credentials once the old ones have expired', async () => {
    let sessions = 0;
    const credentials = async () => ({
      ...{ accessKeyId: `key${++sessions}`, secretAccessKey: 'b' },
      expiration: new Date(0),
    });
    role = { endpoint, region: 'us-east-1', credentials };
    server.fault = faulty('put', { kind: 'refuse', status: 503, code: 'SlowDown' });
    await upload(bytesOf(10));
    const [first, second] = server.calls.map(
      ({ headers }) => /key\d+/.exec(headers.authorization ?? '')?.[0],
    );
    expect(first).toMatch(/^key/);
    expect(second).not.toBe(first);
  });

  test('is hashed for the signature over plain HTTP to another host', async () => {
    role = roleAt(endpoint.replace('127.0.0.1', '0.0.0.0'));
    const bytes = bytesOf(10_000);
    await upload(bytes);
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(server.calls[0]?.headers['x-amz-content-sha256']).toBe(hash);
  });

  test('is the same for any chunks, and never holds more than two parts and a chunk in memory', async () => {
    const partBytes = 5_000;
    const sizes = fc.array(fc.oneof(fc.nat(20), fc.nat(12_000), fc.constant(partBytes)), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        server.objects.clear();
        const bytes = bytesOf(lengths.reduce((sum, length) => sum + length, 0));
        const sink = begin({}, partBytes);
        let given = 0;
        for (const length of lengths) {
          const room = sink.write(bytes.subarray(given, given + length));
          given += length;
          await room;
          // The upload may forget the bytes that have arrived. It holds all others.
          expect(given - server.storedBytes).toBeLessThanOrEqual(2 * partBytes + Math.max(...lengths));
        }
        await sink.end();
        expect(server.objects.get(PATH)?.equals(bytes)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('an S3 that does not read', () => {
  test('gets at most two parts, and the rest when it reads again', async () => {
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    server.fault = ({ operation }) => (operation === 'part' ? { kind: 'hold', until } : undefined);
    const chunk = bytesOf(1_000);
    const sink = begin();
    let chunks = 0;
    let room: Promise<void> | undefined;
    while (room === undefined && chunks < 1_000) {
      room = sink.write(chunk);
      chunks += 1;
    }
    expect(chunks * chunk.length).toBe(2 * PART + chunk.length);
    goOn();
    await room;
    await sink.end();
    expect(server.objects.get(PATH)).toHaveLength(chunks * chunk.length);
  });
});

/** Short only where nothing else ends the wait. Elsewhere a slow machine must not look like a stalled S3. */
const patienceWith = ({ kind }: Fault) => ({
  patience: {
    connectMilliseconds: 5_000,
    silenceMilliseconds: kind === 'stall' ? 300 : 60_000,
    wholeMilliseconds: 60_000,
  },
});

const PLACES = [
  ['the only request', 'put', 0, PART],
  ['the first part', 'part', 1, 4 * PART],
  ['the middle of an object', 'part', 2, 4 * PART],
  ['the last part', 'part', 4, 4 * PART],
] as const;

describe.each(PLACES)('in %s', (_, operation, part, length) => {
  const bytes = bytesOf(length);

  test.each<[string, Fault]>([
    ['a broken connection', { kind: 'break', afterBytes: 1 }],
    ['an error of S3', { kind: 'refuse', status: 500, code: 'InternalError' }],
    ['a busy S3', { kind: 'refuse', status: 503, code: 'SlowDown' }],
    [
      'a busy S3 that answers before it reads the body',
      { kind: 'refuse at once', status: 503, code: 'SlowDown' },
    ],
    ['an S3 that waited too long for bytes', { kind: 'refuse', status: 400, code: 'RequestTimeout' }],
    ['an answer that is lost', { kind: 'lose the answer' }],
    ['a success without a word of what is stored', { kind: 'nothing in a 200' }],
    ['no answer', { kind: 'stall' }],
  ])('%s is retried, and nothing else is', async (_fault, fault) => {
    server.fault = faulty(operation, fault, { part, times: 2 });
    await upload(bytes, patienceWith(fault));
    expect(server.objects.get(PATH)?.equals(bytes)).toBe(true);
    const attempts = server.called(operation).filter((call) => call.part === part);
    expect(attempts).toHaveLength(3);
    expect(server.called('part').filter((call) => call.part !== part && call.attempt > 1)).toEqual([]);
    expect(server.uploads.size).toBe(0);
  });

  test.each<[string, Fault, boolean, number]>([
    ['broken connections', { kind: 'break', afterBytes: 1 }, true, 3],
    ['a busy S3', { kind: 'refuse', status: 503, code: 'SlowDown' }, true, 3],
    ['a stalled S3', { kind: 'stall' }, true, 3],
    ['a refusal', { kind: 'refuse', status: 403, code: 'AccessDenied' }, false, 1],
    ['bytes that change on the way', { kind: 'flip a bit' }, false, 1],
  ])('%s for good end it, and leave nothing', async (_fault, fault, asOverload, attempts) => {
    server.fault = faulty(operation, fault, { part, times: 99 });
    const error = await failure(bytes, patienceWith(fault));
    expect(error).toHaveProperty('message');
    expect(isOverload(error)).toBe(asOverload);
    expect(server.called(operation).filter((call) => call.part === part)).toHaveLength(attempts);
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });
});

describe('an upload in parts', () => {
  const bytes = bytesOf(3 * PART);

  test.each<[string, S3Call['operation'], Fault]>([
    ['whose start gets no answer', 'create', { kind: 'lose the answer' }],
    ['whose completion finds a busy S3', 'complete', { kind: 'refuse', status: 503, code: 'SlowDown' }],
    ['whose completion fails after a 200', 'complete', { kind: 'error in a 200', code: 'InternalError' }],
    ['whose completion says nothing after a 200', 'complete', { kind: 'nothing in a 200' }],
    ['whose completion gets no answer', 'complete', { kind: 'lose the answer' }],
  ])('%s is an object in the end', async (_, operation, fault) => {
    server.fault = faulty(operation, fault);
    await upload(bytes);
    expect(server.objects.get(PATH)?.equals(bytes)).toBe(true);
  });

  test('may be completed after a longer silence than others may have', async () => {
    const { patience } = patienceWith({ kind: 'stall' });
    server.fault = ({ operation }) =>
      operation === 'complete' ? { kind: 'hold', until: pause(3 * patience.silenceMilliseconds) } : undefined;
    await upload(bytes, { patience });
    expect(server.called('complete')).toHaveLength(1);
  });

  test.each<[string, S3Call['operation'], Fault]>([
    ['cannot be started', 'create', { kind: 'refuse', status: 403, code: 'AccessDenied' }],
    ['cannot be completed', 'complete', { kind: 'refuse', status: 400, code: 'InvalidPart' }],
    ['never is', 'complete', { kind: 'error in a 200', code: 'InternalError' }],
    ['is never said to be', 'complete', { kind: 'nothing in a 200' }],
  ])('that %s leaves nothing', async (_, operation, fault) => {
    server.fault = faulty(operation, fault, { times: 99 });
    expect(await failure(bytes)).toHaveProperty('message');
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test('that has failed accepts no more bytes', async () => {
    server.fault = faulty(
      'part',
      { kind: 'refuse', status: 403, code: 'AccessDenied' },
      { part: 1, times: 99 },
    );
    const sink = begin();
    for await (const chunk of cut(bytes, 1_000)) {
      try {
        await sink.write(chunk);
      } catch (error) {
        expect(error).toMatchObject({ name: 'AccessDenied', message: 'No' });
        break;
      }
    }
    await expect(sink.end()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    await sink.abort('it failed');
    expect(server.uploads.size).toBe(0);
  });

  test.each([
    ['before anything was sent', 10],
    ['while its parts are sent', 2 * PART + 10],
  ])('that is aborted %s leaves nothing', async (_, length) => {
    const until = new Promise(() => undefined);
    server.fault = ({ operation }) => (operation === 'part' ? { kind: 'hold', until } : undefined);
    const sink = begin();
    void sink.write(bytesOf(length));
    while (length > PART && server.called('part').length < 2) await pause(5);
    await sink.abort('the client went away');
    expect([server.objects.size, server.uploads.size]).toEqual([0, 0]);
  });

  test('that is aborted while it begins leaves nothing', async () => {
    const { promise: until, resolve: goOn } = Promise.withResolvers<void>();
    server.fault = faulty('create', { kind: 'hold', until });
    const sink = begin();
    void sink.write(bytesOf(PART + 1));
    while (server.called('create').length === 0) await pause(5);
    const given = sink.abort('the client went away');
    goOn();
    await given;
    expect(server.called('abort')).toHaveLength(1);
    expect(server.uploads.size).toBe(0);
  });

  test('that was complete before its abort is not a failure', async () => {
    const sink = begin();
    await sink.write(bytes);
    await sink.end();
    await expect(sink.abort('its row could not be written')).resolves.toBeUndefined();
  });
});

test('an S3 that cannot be reached is an overload', async () => {
  server.close();
  expect(isOverload(await failure(bytesOf(10)))).toBe(true);
});

describe('memory that is used again', () => {
  const FAULTS: readonly (Fault | undefined)[] = [
    undefined,
    { kind: 'break', afterBytes: 1 },
    { kind: 'refuse', status: 503, code: 'SlowDown' },
    { kind: 'refuse at once', status: 503, code: 'SlowDown' },
    { kind: 'lose the answer' },
  ];
  const BLOCK = 7_000;
  const OTHER = Buffer.from('other');

  test('never shows the bytes of another object, whatever goes wrong with the requests', async () => {
    const uploads = new ObjectUploads(
      new ObjectRequests(role, { random: () => 0 }),
      { partBytes: 20_000, firstPartBytes: 15_000, putBytes: 11_000 },
      new BlockPool(BLOCK, 20 * BLOCK),
    );
    const objects = fc.array(fc.tuple(fc.integer({ min: 1, max: 90_000 }), fc.boolean()), { maxLength: 5 });
    const faults = fc.array(fc.constantFrom(...FAULTS), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(objects, faults, async (specified, faults) => {
        server.objects.clear();
        server.calls.length = 0;
        let calls = 0;
        server.fault = ({ operation, attempt }) =>
          attempt === 1 && operation === 'part' ? faults[calls++ % faults.length] : undefined;
        const contents = specified.map(([length], i) => Buffer.alloc(length, `object ${i} `));
        await Promise.all(
          specified.map(async ([, isAborted], i) => {
            const sink = uploads.begin({ ...OBJECT, key: String(i) });
            for await (const chunk of cut(contents[i] ?? Buffer.alloc(0), 9_999)) {
              const lent = Buffer.from(chunk);
              const room = sink.write(lent);
              lent.fill('!');
              await room;
            }
            await (isAborted ? sink.abort('the client went away') : sink.end());
          }),
        );
        const kept = specified.flatMap(([, isAborted], i) => (isAborted ? [] : [i]));
        expect([...server.objects.keys()].toSorted()).toEqual(kept.map((i) => `/bucket/${i}`));
        for (const i of kept)
          expect(server.objects.get(`/bucket/${i}`)?.equals(contents[i] ?? OTHER)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('is that of parts which S3 has, and of no others', async () => {
    const pool = new BlockPool(PART);
    const kept: Buffer[] = [];
    pool.giveBack = (blocks) => void kept.push(...blocks);
    const uploads = new ObjectUploads(
      new ObjectRequests(role, { random: () => 0 }),
      { partBytes: PART },
      pool,
    );
    await pour(cut(bytesOf(PART), 9_999), uploads.begin(OBJECT));
    expect(kept).toHaveLength(1);
    await pour(cut(bytesOf(3 * PART), 9_999), uploads.begin(OBJECT));
    expect(kept).toHaveLength(4);
    server.fault = ({ operation }) =>
      operation === 'put' || operation === 'part'
        ? { kind: 'refuse', status: 403, code: 'AccessDenied' }
        : undefined;
    for (const parts of [1, 3]) {
      const failed = pour(cut(bytesOf(parts * PART), 9_999), uploads.begin(OBJECT));
      await expect(failed).rejects.toMatchObject({ name: 'AccessDenied' });
    }
    expect(kept).toHaveLength(4);
  });

  test.each<[string, Fault | undefined]>([
    ['taken', undefined],
    ['refused before it is read', { kind: 'refuse at once', status: 503, code: 'SlowDown' }],
    ['cut off', { kind: 'break', afterBytes: 1 }],
  ])('is not read any more once a request that is %s has settled', async (_, fault) => {
    server.fault = () => fault;
    let isClosed = false;
    const watch = (message: unknown) =>
      void (message as { request: ClientRequest }).request.once('close', () => {
        isClosed = true;
      });
    subscribe('http.client.request.created', watch);
    try {
      const url = new URL('/bucket/key', endpoint);
      const patience = { connectMilliseconds: 5_000, silenceMilliseconds: 60_000, wholeMilliseconds: 60_000 };
      const chunks = Array.from({ length: 20 }, () => Buffer.alloc(1_000_000));
      const request = { method: 'PUT', url, headers: { 'content-length': '20000000' }, chunks };
      await exchange(request, patience, new AbortController().signal).catch(() => undefined);
      expect(isClosed).toBe(true);
    } finally {
      unsubscribe('http.client.request.created', watch);
    }
  });
});
