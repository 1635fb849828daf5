import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pour } from '../../functions/byte-streams.ts';
import { ObjectStore } from '../../functions/files/object-store.ts';
import { S3Server } from '../aws/object-upload/s3-server.ts';

const MEBIBYTE = 1024 ** 2;

let server: S3Server;
let objects: ObjectStore;
beforeEach(async () => {
  server = new S3Server();
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  objects = new ObjectStore({ endpoint: await server.listen(), region: 'us-east-1', credentials }, 'files');
});
afterEach(() => server.close());

async function* bytes() {
  yield Buffer.from('a file');
}

test('keeps the bytes of a file until they are removed', async () => {
  await pour(bytes(), objects.put('w1/file_1'));
  expect(server.objects.get('/files/w1/file_1')?.toString()).toBe('a file');
  await objects.remove('w1/file_1');
  expect(server.objects.size).toBe(0);
});

test.each([
  ['no more than a Lambda takes is one PUT', 4 * MEBIBYTE, []],
  [
    'more than a Lambda takes comes in parts, of which the first is the smallest that S3 takes',
    14 * MEBIBYTE,
    [5, 8, 1],
  ],
])('%s', async (_, length, parts) => {
  const object = objects.put('w1/file_1');
  for (let given = 0; given < length; given += MEBIBYTE) await object.write(Buffer.alloc(MEBIBYTE));
  await object.end();
  const sent = server.called('part').toSorted((one, other) => one.part - other.part);
  expect(sent.map(({ headers }) => Number(headers['content-length']) / MEBIBYTE)).toEqual(parts);
  expect(server.objects.get('/files/w1/file_1')).toHaveLength(length);
});

test('begins parts with the first byte that a Lambda does not take', async () => {
  const object = objects.put('w1/file_1');
  await object.write(Buffer.alloc(4 * MEBIBYTE));
  expect(server.called('create')).toEqual([]);
  await object.write(Buffer.alloc(1));
  expect(server.called('create')).toHaveLength(1);
  await object.abort(new Error('enough'));
});

test('removes a missing object without an error, as S3 does', async () => {
  await expect(objects.remove('w1/file_2')).resolves.toBeUndefined();
});

test('asks a busy S3 to remove it again', async () => {
  server.fault = ({ attempt }) =>
    attempt < 3 ? { kind: 'refuse', status: 503, code: 'SlowDown' } : undefined;
  await objects.remove('w1/file_1');
  expect(server.called('delete')).toHaveLength(3);
});

test('says why S3 does not remove it', async () => {
  server.fault = () => ({ kind: 'refuse', status: 403, code: 'AccessDenied' });
  await expect(objects.remove('w1/file_1')).rejects.toMatchObject({ name: 'AccessDenied' });
  expect(server.called('delete')).toHaveLength(1);
});
