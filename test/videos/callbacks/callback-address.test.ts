import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callbackAddress } from '../../../functions/videos/callbacks/callback-address.ts';
import { readCallbackToken } from '../../../functions/videos/callbacks/callback-token.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { keySet } from '../../../functions/webhooks/signature.ts';

const privateKey = generateKeyPairSync('ed25519').privateKey;
const job = { id: 'vid_01jg000000000000000000000a', submits: 1, public_url: 'https://api.example' };
const log = { warn: () => undefined };

function addressOf(name: string, { origin, ...change }: { origin?: string; public_url?: string } = {}) {
  const address = callbackAddress({ origin, key: async () => privateKey, log });
  return address({ ...job, ...change }, { provider: providerOf(name), providerName: `our-${name}` });
}

test('a provider calls where the job’s caller came in, with a token for this submit', async () => {
  const [, token = ''] =
    /^https:\/\/api\.example\/api\/v1\/callbacks\/([^/]+)$/.exec((await addressOf('fal')) ?? '') ?? [];
  expect(readCallbackToken(token, keySet(privateKey))).toEqual({
    job: job.id,
    submit: 1,
    provider: 'our-fal',
  });
});

test('or at an address that the stage names', async () => {
  expect(await addressOf('fal', { origin: 'https://tunnel.example' })).toMatch(
    /^https:\/\/tunnel\.example\/api/,
  );
});

test.each(['runway', 'xai', 'dashscope', 'bedrock', 'minimax', 'openai-videos'])(
  '%s is not asked to call',
  async (name) => {
    expect(await addressOf(name)).toBeUndefined();
  },
);

test('only the sandbox is given an address on this machine, and none elsewhere', async () => {
  const local = { public_url: 'http://localhost:3000' };
  expect(await addressOf('fal', local)).toBeUndefined();
  expect(await addressOf('sandbox', local)).toMatch(/^http:\/\/localhost:3000\/api/);
  expect(await addressOf('sandbox')).toBeUndefined();
});

test('a tunnel for vendors is not for the sandbox, which goes on calling on this machine', async () => {
  const local = { public_url: 'http://localhost:3000', origin: 'https://tunnel.example' };
  expect(await addressOf('fal', local)).toMatch(/^https:\/\/tunnel\.example\/api/);
  expect(await addressOf('sandbox', local)).toMatch(/^http:\/\/localhost:3000\/api/);
});

test('without its key, such as when KMS is down, a job is submitted without a callback', async () => {
  const key = () => Promise.reject(new Error('KMS is down'));
  const address = callbackAddress({ origin: undefined, key, log });
  expect(await address(job, { provider: providerOf('fal'), providerName: 'fal' })).toBeUndefined();
});
