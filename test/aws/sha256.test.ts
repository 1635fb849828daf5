import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Sha256 } from '../../functions/aws/client-settings.ts';

const KEY = new TextEncoder().encode('a key of some bytes');
const DATA = new TextEncoder().encode('what is signed');
/** The key's bytes in the middle of others. */
const around = Buffer.from(`((${Buffer.from(KEY)}))`);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function digestOf(hash: Sha256): Promise<string> {
  hash.update(DATA.subarray(0, 5));
  hash.update(DATA.subarray(5));
  return hash.digest().then(hex);
}

test('without a secret it is the hash', async () => {
  expect(await digestOf(new Sha256())).toBe(createHash('sha256').update(DATA).digest('hex'));
});

test.each([
  ['text', Buffer.from(KEY).toString()],
  ['bytes', KEY],
  ['bytes among others', around.subarray(2, -2)],
  ['a view that is not of single bytes', new DataView(around.buffer, around.byteOffset + 2, KEY.length)],
  ['a whole buffer', KEY.slice().buffer],
])('with a secret of %s it is the HMAC', async (_, secret) => {
  expect(await digestOf(new Sha256(secret))).toBe(createHmac('sha256', KEY).update(DATA).digest('hex'));
});

test('an empty secret is one too', async () => {
  const expected = createHmac('sha256', '').update(DATA).digest('hex');
  expect(await digestOf(new Sha256(''))).toBe(expected);
  expect(await digestOf(new Sha256(new Uint8Array()))).toBe(expected);
});

test.each([undefined, KEY])('it begins anew', async (secret) => {
  const hash = new Sha256(secret);
  hash.update(KEY);
  hash.reset();
  expect(await digestOf(hash)).toBe(await digestOf(new Sha256(secret)));
});
