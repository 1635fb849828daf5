import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { callbackToken, readCallbackToken } from '../../../functions/videos/callbacks/callback-token.ts';
import { keySet } from '../../../functions/webhooks/signature.ts';

const key = generateKeyPairSync('ed25519').privateKey;
const keys = keySet(key);
const submit = { job: 'vid_01jg000000000000000000000a', submit: 2, provider: 'my fal, "the second"' };
const token = callbackToken(submit, key);

test('a token says which submit it is for, and fits into the address of a request', () => {
  expect(readCallbackToken(token, keys)).toEqual(submit);
  expect(encodeURIComponent(token)).toBe(token);
  expect(token.length).toBeLessThan(300);
});

const [content = '', signature = ''] = token.split('.');
const another = Buffer.from(JSON.stringify({ ...submit, submit: 3 })).toString('base64url');
const bare = sign(null, Buffer.from(content), key).toString('base64url');

test.each([
  ['empty', ''],
  ['of another deployment', callbackToken(submit, generateKeyPairSync('ed25519').privateKey)],
  ['for another submit', `${another}.${signature}`],
  ['without a signature', content],
  ['with a cut signature', token.slice(0, -1)],
  ['with a signature of zeros', `${content}.${'A'.repeat(86)}`],
  ['whose signature does not say what it is for', `${content}.${bare}`],
  ['endless', `${'A'.repeat(1_000_000)}.${signature}`],
  ['with other characters', `${content}%.${signature}`],
])('a token %s is not ours', (_, forged) => {
  expect(readCallbackToken(forged, keys)).toBeUndefined();
});
