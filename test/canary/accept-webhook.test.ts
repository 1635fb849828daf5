import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { isOurWebhook } from '../../functions/canary/accept-webhook.ts';
import { keySet, signatureHeaders } from '../../functions/webhooks/signature.ts';

const [ours, another] = [
  generateKeyPairSync('ed25519').privateKey,
  generateKeyPairSync('ed25519').privateKey,
];
const keys = keySet(ours);
const NOW = new Date('2026-11-22T04:00:00Z');
const seconds = NOW.getTime() / 1000;
const body = '{"type":"video.generation.completed","é":"🦊"}';
const sent = (change: object = {}, key = ours) =>
  signatureHeaders({ id: 'msg_1', timestamp: seconds, body, ...change }, [Buffer.alloc(32)], key);

test.each([
  ['as it was sent', sent(), body, true],
  ['300 s old', sent({ timestamp: seconds - 300 }), body, true],
  ['301 s old', sent({ timestamp: seconds - 301 }), body, false],
  ['300 s ahead', sent({ timestamp: seconds + 300 }), body, true],
  ['301 s ahead', sent({ timestamp: seconds + 301 }), body, false],
  ['of another deployment', sent({}, another), body, false],
  ['with another body', sent(), body.replace('completed', 'failed'), false],
  ['under another id', { ...sent(), 'webhook-id': 'msg_2' }, body, false],
  ['with a signature of the secret only', { ...sent(), 'webhook-signature': 'v1,AAAA' }, body, false],
  ['with malformed signatures', { ...sent(), 'webhook-signature': 'v1a, v1a,AAAA' }, body, false],
  ['without headers', {}, body, false],
])('a delivery %s', (_, headers, text, accepted) => {
  expect(isOurWebhook(headers, text, keys, NOW)).toBe(accepted);
});

test('one of several keys is enough, as in a rotation', () => {
  const both = { keys: [...keySet(another).keys, ...keys.keys] };
  expect(isOurWebhook(sent(), body, both, NOW)).toBe(true);
});
