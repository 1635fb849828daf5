import { beforeEach, expect, test } from '@jest/globals';
import { onceAllowed } from '../../functions/aws/retry.ts';

const denial = Object.assign(new Error('not authorized'), { name: 'AccessDeniedException' });

let waited: number;
let calls: number;
const pause = async (milliseconds: number) => {
  waited += milliseconds;
};
beforeEach(() => {
  [waited, calls] = [0, 0];
});

/** Work that fails a number of times. */
const failing = (times: number, error: Error) => async () => {
  if (++calls <= times) throw error;
  return 'done';
};

test('work is repeated until the right for it has taken effect', async () => {
  expect(await onceAllowed(failing(3, denial), pause)).toBe('done');
  expect(calls).toBe(4);
});

test('after a minute the right is missing for good', async () => {
  await expect(onceAllowed(failing(100, denial), pause)).rejects.toBe(denial);
  expect(waited).toBe(60_000);
});

test('another failure is not repeated', async () => {
  const disabled = Object.assign(new Error('disabled'), { name: 'DisabledException' });
  await expect(onceAllowed(failing(1, disabled), pause)).rejects.toBe(disabled);
  expect(calls).toBe(1);
});
