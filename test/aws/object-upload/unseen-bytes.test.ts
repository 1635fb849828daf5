import * as https from 'node:https';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ObjectRequests } from '../../../functions/aws/object-upload/object-requests.ts';
import { certificate, testAuthority } from '../../certificates.ts';
import { S3Server } from './s3-server.ts';

let server: S3Server;
let port: string;
beforeEach(async () => {
  server = new S3Server(certificate('other.example'));
  ({ port } = new URL(await server.listen()));
});
afterEach(() => {
  jest.restoreAllMocks();
  server.close();
});

/** Leads every name to this machine, whose certificates only these connections trust. */
function connect(change: { readonly ca?: string }): void {
  const { createConnection } = https.Agent.prototype;
  jest.spyOn(https.Agent.prototype, 'createConnection').mockImplementation(function (
    this: https.Agent,
    options,
    callback,
  ) {
    return createConnection.call(this, { ...options, host: '127.0.0.1', ...change }, callback);
  });
}

function put(host: string): Promise<unknown> {
  const role = {
    endpoint: `https://${host}:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  };
  const object = { method: 'PUT', bucket: 'bucket', key: 'key', chunks: [Buffer.from('bytes')] } as const;
  // Its CRC-32, as S3 has it.
  const headers = { 'x-amz-checksum-crc32': 'sZlDzg==' };
  const requests = new ObjectRequests(role, { pause: async () => undefined });
  return requests.send({ ...object, headers }, new AbortController().signal);
}

test('bytes over TLS are stored, and not hashed for the signature', async () => {
  connect({ ca: testAuthority });
  await put('other.example');
  expect(server.objects.get('/bucket/key')?.toString()).toBe('bytes');
  expect(server.calls.map(({ headers }) => headers['x-amz-content-sha256'])).toEqual(['UNSIGNED-PAYLOAD']);
});

test.each([
  ['that nobody trusts', 'other.example', {}],
  ['of another host', 'third.example', { ca: testAuthority }],
])('a server with a certificate %s gets no bytes', async (_, host, change) => {
  connect(change);
  await expect(put(host)).rejects.toThrow(/certificate|altnames/);
  expect(server.calls).toEqual([]);
});
