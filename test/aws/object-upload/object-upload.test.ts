import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ObjectRequests } from '../../../functions/aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../../functions/aws/object-upload/object-upload.ts';
import type { AwsRole } from '../../../functions/aws/own-role.ts';
import { S3Server } from './s3-server.ts';

const PART = 1_000;
const OBJECT = { bucket: 'bucket', key: 'key', contentType: 'video/mp4' };
const bytes = Buffer.from(Array.from({ length: 2 * PART + 1 }, (_, i) => i % 251));

let server: S3Server;
let role: AwsRole;
let uploads: ObjectUploads;
beforeEach(async () => {
  server = new S3Server();
  const endpoint = await server.listen();
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  role = { endpoint, region: 'us-east-1', credentials };
  uploads = new ObjectUploads(new ObjectRequests(role, { random: () => 0 }), { partBytes: PART });
});
afterEach(() => server.close());

/** Holds a part back until it is let go. */
function hold(part: number): () => void {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  server.fault = (call) =>
    call.operation === 'part' && call.part === part ? { kind: 'hold', until } : undefined;
  return letGo;
}
const untilStored = async (parts: number) => {
  while (server.uploads.get('u1')?.size !== parts) await new Promise(setImmediate);
};

test('an object is whole although a later part arrives before an earlier one', async () => {
  const letGo = hold(1);
  const object = uploads.begin(OBJECT);
  const room = object.write(bytes.subarray(0, 2 * PART + 1));
  await untilStored(1);
  letGo();
  await room;
  await object.end();
  expect(server.objects.get('/bucket/key')).toEqual(bytes);
});

test('an object is completed only when all of its parts are stored', async () => {
  const letGo = hold(3);
  const object = uploads.begin(OBJECT);
  await object.write(bytes);
  const ended = object.end();
  await untilStored(2);
  expect(server.called('complete')).toEqual([]);
  letGo();
  await ended;
  expect(server.objects.get('/bucket/key')).toEqual(bytes);
});

test('no more is taken while two parts are under way', async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  server.fault = ({ operation }) => (operation === 'part' ? { kind: 'hold', until } : undefined);
  const object = uploads.begin(OBJECT);
  let isTaken = false;
  const room = Promise.resolve(object.write(bytes)).then(() => {
    isTaken = true;
  });
  while (server.called('part').length < 2) await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  letGo();
  await room;
  await object.end();
});

test('an aborted upload keeps no part', async () => {
  const object = uploads.begin(OBJECT);
  await object.write(bytes);
  await untilStored(2);
  await object.abort(new Error('enough'));
  expect([server.uploads.size, server.storedBytes]).toEqual([0, 0]);
});

test('an upload is aborted once its last part has ended: S3 would keep one that arrives later', async () => {
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const steps: string[] = [];
  /** Parts end late here, even when they are cut short. */
  class SlowParts extends ObjectRequests {
    override async send(...[request, signal]: Parameters<ObjectRequests['send']>) {
      if (request.method === 'DELETE') steps.push('aborted');
      if (request.method !== 'PUT') return super.send(request, signal);
      return super.send(request, signal).finally(async () => {
        await until;
        steps.push('part ended');
      });
    }
  }
  const object = new ObjectUploads(new SlowParts(role, { random: () => 0 }), { partBytes: PART }).begin(
    OBJECT,
  );
  void object.write(bytes);
  await untilStored(2);
  const aborted = object.abort(new Error('enough'));
  await new Promise(setImmediate);
  letGo();
  await aborted;
  expect(steps).toEqual(['part ended', 'part ended', 'aborted']);
});

describe('an upload that begins early', () => {
  const SIZES = { partBytes: PART, firstPartBytes: 500, putBytes: 400 };
  const beginEarly = () =>
    new ObjectUploads(new ObjectRequests(role, { random: () => 0 }), SIZES).begin(OBJECT);
  const partLengths = () => server.called('part').map(({ headers }) => Number(headers['content-length']));

  test.each([
    ['all that fits', 400, { put: 1, create: 0 }, []],
    ['a byte more', 401, { put: 0, create: 1 }, [401]],
    ['a whole first part', 500, { put: 0, create: 1 }, [500]],
    ['more', 2_000, { put: 0, create: 1 }, [500, 1_000, 500]],
  ])('is not one PUT: %s', async (_, length, { put, create }, parts) => {
    const object = beginEarly();
    await object.write(bytes.subarray(0, length));
    await object.end();
    expect([server.called('put').length, server.called('create').length]).toEqual([put, create]);
    expect(partLengths().toSorted()).toEqual(parts.toSorted());
    expect(server.objects.get('/bucket/key')).toEqual(bytes.subarray(0, length));
  });

  test('asks for no more bytes until S3 knows of it, and for no part before it is full', async () => {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    server.fault = ({ operation }) => (operation === 'create' ? { kind: 'hold', until } : undefined);
    const object = beginEarly();
    expect(object.write(bytes.subarray(0, 400))).toBeUndefined();
    let isTaken = false;
    const room = Promise.resolve(object.write(bytes.subarray(400, 401))).then(() => {
      isTaken = true;
    });
    while (server.called('create').length < 1) await new Promise(setImmediate);
    expect(isTaken).toBe(false);
    letGo();
    await room;
    await object.write(bytes.subarray(401, 500));
    expect(server.called('part')).toEqual([]);
    await object.write(bytes.subarray(500));
    await object.end();
    expect(server.objects.get('/bucket/key')).toEqual(bytes);
  });

  test('takes nothing more where S3 refuses it', async () => {
    server.fault = () => ({ kind: 'refuse', status: 403, code: 'AccessDenied' });
    const object = beginEarly();
    await object.write(bytes.subarray(0, 401));
    expect(() => object.write(bytes.subarray(401))).toThrow(
      expect.objectContaining({ name: 'AccessDenied' }),
    );
    await expect(object.end()).rejects.toMatchObject({ name: 'AccessDenied' });
    await object.abort(new Error('enough'));
    expect(server.calls.map(({ operation }) => operation)).toEqual(['create']);
  });

  test('leaves nothing in S3 if it is aborted before S3 has answered', async () => {
    const object = beginEarly();
    void object.write(bytes.subarray(0, 401));
    await object.abort(new Error('enough'));
    expect(server.calls.map(({ operation }) => operation)).toEqual(['create', 'abort']);
    expect([server.uploads.size, server.storedBytes]).toEqual([0, 0]);
  });
});
