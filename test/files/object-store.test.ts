import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pour } from '../../functions/byte-sink.ts';
import { ObjectStore } from '../../functions/files/object-store.ts';
import { S3Server } from '../aws/object-upload/s3-server.ts';

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

test('removes what is not there without complaint, as S3 does', async () => {
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
