import { afterEach, beforeEach, expect, test } from '@jest/globals';
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
  uploads = new ObjectUploads(new ObjectRequests(role, { random: () => 0 }), PART);
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
  const object = new ObjectUploads(new SlowParts(role, { random: () => 0 }), PART).begin(OBJECT);
  void object.write(bytes);
  await untilStored(2);
  const aborted = object.abort(new Error('enough'));
  await new Promise(setImmediate);
  letGo();
  await aborted;
  expect(steps).toEqual(['part ended', 'part ended', 'aborted']);
});
