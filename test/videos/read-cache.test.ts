import { expect, test } from '@jest/globals';
import { readCache } from '../../functions/videos/read-cache.ts';

test('a cached value is used for a while, and longer if it cannot be read again', async () => {
  let now = 0;
  const answers = [async () => 1, async () => 2, () => Promise.reject(new Error('down')), async () => 4];
  const read = readCache({
    read: async () => answers.shift()!(),
    milliseconds: 10,
    now: () => new Date(now),
  });
  const seen: number[] = [];
  for (now of [0, 9, 10, 19, 20, 29, 30]) seen.push(await read('a'));
  expect(seen).toEqual([1, 1, 2, 2, 2, 2, 4]);
});

test('a value that could never be read is requested again each time', async () => {
  const answers = [() => Promise.reject(new Error('down')), async () => 2];
  const read = readCache({ read: async () => answers.shift()!(), milliseconds: 10, now: () => new Date(0) });
  await expect(read('a')).rejects.toThrow('down');
  expect(await read('a')).toBe(2);
});
