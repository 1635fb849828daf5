import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Download } from '../../functions/downloads/links.ts';
import { variables } from '../../functions/environment-names.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const video: Download = { key: 'kept-1d/w/j/1/0.mp4', shownAs: 'video' };

let calls: number;
let isAllowed: boolean;
const keys = createServer((_, response) => {
  calls++;
  const answer = { Mac: Buffer.alloc(32, 7).toString('base64') };
  if (isAllowed) response.end(JSON.stringify(answer));
  else response.writeHead(400).end(JSON.stringify({ __type: 'AccessDeniedException', message: 'No' }));
});

// The client of KMS reads where that is when it is loaded.
beforeAll(async () => {
  await once(keys.listen(0, '127.0.0.1'), 'listening');
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(keys.address() as AddressInfo).port}`,
    [variables.downloadsUrl]: 'https://d1.example.net',
    [variables.downloadsKeyPair]: 'K1',
    [variables.downloadsKeyId]: 'key',
    [variables.downloadsKeyGeneration]: '1',
  });
});

beforeEach(() => {
  [calls, isAllowed] = [0, true];
});

afterAll(async () => {
  const { kms } = await import('../../functions/aws/kms.ts');
  kms.destroy();
  keys.close();
});

async function newFunction() {
  const { deployedLinks } = await import('../../functions/deployed/links.ts');
  return deployedLinks('resultsBucket');
}

test('the many links of a new function’s first list take one call of KMS', async () => {
  const makeLink = await newFunction();
  expect(calls).toBe(0);
  await Promise.all(Array.from({ length: 100 }, () => makeLink(video, NOW)));
  await makeLink(video, NOW);
  expect(calls).toBe(1);
});

test('a function that KMS has refused asks again for its next link', async () => {
  const makeLink = await newFunction();
  isAllowed = false;
  await expect(makeLink(video, NOW)).rejects.toThrow('No');
  isAllowed = true;
  expect((await makeLink(video, NOW)).url).toContain('&Signature=');
});
