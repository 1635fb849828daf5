import { expect, test } from '@jest/globals';
import { retryOnConflict } from '../../functions/aws/retry.ts';

const exhausted = () => new Error('too many conflicts');

/** Work that has this many conflicts before it returns `result`, with a count of its attempts. */
function workAfter<T>(conflicts: number, result: T) {
  const made = { attempts: 0 };
  const work = async () => (made.attempts++ < conflicts ? undefined : result);
  return { made, work };
}

test.each<[number, number | string | boolean | null]>([
  [0, 'done'],
  [2, 'done'],
  [0, false],
  [1, null],
  [1, 0],
])('work with %d conflicts is done once more than that, and its %p is the result', async (n, result) => {
  const { work, made } = workAfter(n, result);
  expect(await retryOnConflict(3, work, exhausted)).toBe(result);
  expect(made.attempts).toBe(n + 1);
});

test('the last attempt may be the one that succeeds, and none comes after it', async () => {
  const { work, made } = workAfter(3, 'done');
  await expect(retryOnConflict(3, work, exhausted)).rejects.toThrow('too many conflicts');
  expect(made.attempts).toBe(3);
});

test('another error of the work is not retried', async () => {
  let attempts = 0;
  const work = async () => {
    attempts++;
    throw new Error('broken');
  };
  await expect(retryOnConflict(3, work, exhausted)).rejects.toThrow('broken');
  expect(attempts).toBe(1);
});
