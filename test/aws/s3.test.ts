import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { GetObjectCommand, PutObjectCommand, type S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';

let server: Server;
let client: S3Client;
const hashes: unknown[] = [];

beforeEach(async () => {
  hashes.length = 0;
  server = createServer((request, response) => {
    hashes.push(request.headers['x-amz-content-sha256']);
    expect(request.headers['x-amz-checksum-crc32']).toBeUndefined();
    request.resume().once('end', () => response.setHeader('etag', '"1"').end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  client = createS3Client({
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
});

afterEach(async () => {
  client.destroy();
  server.close();
  await once(server, 'close');
});

const object = { Bucket: 'b', Key: 'k' };

test('what is uploaded is not hashed, and everything else is', async () => {
  await client.send(new PutObjectCommand({ ...object, Body: Buffer.from('x') }));
  await client.send(
    new UploadPartCommand({ ...object, UploadId: '1', PartNumber: 1, Body: Buffer.from('x') }),
  );
  await client.send(new GetObjectCommand(object));
  expect(hashes).toEqual(['UNSIGNED-PAYLOAD', 'UNSIGNED-PAYLOAD', expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('links to download need no header of it', async () => {
  const link = new URL(await getSignedUrl(client, new GetObjectCommand(object)));
  expect(link.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
});
