import { beforeEach, describe, expect, test } from '@jest/globals';
import { insist, insistently, onceAllowed, retry, retryOnConflict } from '../../functions/aws/retry.ts';

const denied = (name: string) => Object.assign(new Error('not authorized'), { name });
const denial = denied('AccessDeniedException');
const overload = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
const defect = new Error('a defect');

let waits: number[];
let calls: number;
const pause = async (milliseconds: number) => {
  waits.push(milliseconds);
};
const waited = () => waits.reduce((sum, each) => sum + each, 0);
beforeEach(() => {
  [waits, calls] = [[], 0];
});

/** Work that fails a number of times. */
const failing = (times: number, error: Error) => async () => {
  if (++calls <= times) throw error;
  return 'done';
};

describe('retry', () => {
  const options = {
    attempts: 3,
    passes: (error: unknown) => error === overload,
    pause: (failures: number) => pause(failures * 10),
  };

  test.each<[failures: number, calls: number, waits: number[]]>([
    [0, 1, []],
    [1, 2, [10]],
    [2, 3, [10, 20]],
  ])('repeats work that fails %d times, and waits after each failure', async (failures, expected, pauses) => {
    expect(await retry(failing(failures, overload), options)).toBe('done');
    expect([calls, waits]).toEqual([expected, pauses]);
  });

  test('throws the last failure, without a wait after it', async () => {
    await expect(retry(failing(3, overload), options)).rejects.toBe(overload);
    expect([calls, waits]).toEqual([3, [10, 20]]);
  });

  test('throws a failure that will not pass at once', async () => {
    await expect(retry(failing(1, defect), options)).rejects.toBe(defect);
    expect([calls, waits]).toEqual([1, []]);
  });
});

describe('insist', () => {
  test('repeats work for some fifteen seconds while AWS is busy', async () => {
    await expect(insist(failing(100, overload), pause)).rejects.toBe(overload);
    expect([calls, waited()]).toEqual([7, 15_750]);
  });

  test('does not repeat another failure', async () => {
    await expect(insist(failing(1, denial), pause)).rejects.toBe(denial);
    expect(calls).toBe(1);
  });

  test('repeats a call with its arguments', async () => {
    const work = failing(1, overload);
    const call = insistently(pause)(async (word: string) => `${word} ${await work()}`);
    expect(await call('well')).toBe('well done');
  });
});

describe('onceAllowed', () => {
  test('repeats work until the right for it has taken effect', async () => {
    expect(await onceAllowed(failing(3, denial), pause)).toBe('done');
    expect(calls).toBe(4);
  });

  test.each(['AccessDenied', 'UnauthorizedOperation'])(
    'knows %s, as another service says it',
    async (name) => {
      expect(await onceAllowed(failing(1, denied(name)), pause)).toBe('done');
    },
  );

  test('gives up after a minute', async () => {
    await expect(onceAllowed(failing(100, denial), pause)).rejects.toBe(denial);
    expect(waited()).toBe(60_000);
  });

  test('does not repeat another failure', async () => {
    const disabled = Object.assign(new Error('disabled'), { name: 'DisabledException' });
    await expect(onceAllowed(failing(1, disabled), pause)).rejects.toBe(disabled);
    expect(calls).toBe(1);
  });
});

describe('retryOnConflict', () => {
  const exhausted = () => new Error('too many conflicts');

  /** Work that has this many conflicts before it returns `result`. */
  const workAfter =
    <T>(conflicts: number, result: T) =>
    async () =>
      calls++ < conflicts ? undefined : result;

  test.each<[number, number | string | boolean | null]>([
    [0, 'done'],
    [2, 'done'],
    [0, false],
    [1, null],
    [1, 0],
  ])('does work with %d conflicts once more than that, and returns its %p', async (conflicts, result) => {
    expect(await retryOnConflict(3, workAfter(conflicts, result), exhausted)).toBe(result);
    expect(calls).toBe(conflicts + 1);
  });

  test('makes no attempt after the last, which may succeed', async () => {
    await expect(retryOnConflict(3, workAfter(3, 'done'), exhausted)).rejects.toThrow('too many conflicts');
    expect(calls).toBe(3);
  });

  test('does not repeat work that throws', async () => {
    await expect(retryOnConflict(3, failing(1, defect), exhausted)).rejects.toBe(defect);
    expect(calls).toBe(1);
  });
});
