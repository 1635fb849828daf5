import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { AwsWorld } from '../engines/index.ts';

type Waiter = Pick<AwsWorld, 'clock' | 'random'>;

let current: Waiter | undefined;

/**
 * Lets pauses of the code under test use a world's clock and random numbers, until it is called with another world. It
 * only affects modules that are imported after the first call, with `await import`.
 */
export function waitBy(world: Waiter): void {
  if (current === undefined) {
    jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: wait, setImmediate }));
    jest.unstable_mockModule('../../functions/aws/jittered-pause.ts', () => ({ jitteredPause }));
  }
  current = world;
}

async function wait<T>(
  milliseconds: number,
  value: T,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  await current?.clock.wait(milliseconds, signal);
  return value;
}

async function jitteredPause(longestMilliseconds: number): Promise<void> {
  await current?.clock.wait(longestMilliseconds * current.random());
}
