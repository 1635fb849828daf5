import { expect, test } from '@jest/globals';
import { sendOnce } from '../../../console/api/client.ts';

/** Numbers the keys, so that a test can tell which one was sent. */
function counted() {
  let count = 0;
  return sendOnce(() => `key ${++count}`);
}
const answer = async (key: string) => key;
const loseAnswer = async (key: string) => {
  throw new Error(key);
};

test('a request whose answer was lost is sent again with the same key until it succeeds', async () => {
  const send = counted();
  await expect(send({ amount: 1 }, loseAnswer)).rejects.toThrow('key 1');
  await expect(send({ amount: 1 }, loseAnswer)).rejects.toThrow('key 1');
  expect(await send({ amount: 1 }, answer)).toBe('key 1');
});

test('what has succeeded is another request the next time', async () => {
  const send = counted();
  expect(await send({ amount: 1 }, answer)).toBe('key 1');
  expect(await send({ amount: 1 }, answer)).toBe('key 2');
});

test('each request has a key of its own, and keeps it while others are tried', async () => {
  const send = counted();
  await expect(send({ amount: 1 }, loseAnswer)).rejects.toThrow('key 1');
  await expect(send({ amount: 2 }, loseAnswer)).rejects.toThrow('key 2');
  await expect(send([{ workspace_id: 'a' }, { amount: 1 }], loseAnswer)).rejects.toThrow('key 3');
  expect(await send({ amount: 1 }, answer)).toBe('key 1');
  expect(await send({ amount: 2 }, answer)).toBe('key 2');
});

test('two presses at once are one request', async () => {
  const send = counted();
  expect(await Promise.all([send('same', answer), send('same', answer)])).toEqual(['key 1', 'key 1']);
});
