import { jest } from '@jest/globals';
import type { VirtualClock } from './clock.ts';

let current: VirtualClock | undefined;

/**
 * Makes code that pauses by `node:timers/promises` pause by a virtual clock, until it is told another one. Only
 * what is imported after the first call, with `await import`, does.
 */
export function waitBy(clock: VirtualClock): void {
  if (current === undefined) jest.unstable_mockModule('node:timers/promises', () => ({ setTimeout: wait }));
  current = clock;
}

async function wait<T>(
  milliseconds: number,
  value: T,
  { signal }: { signal?: AbortSignal } = {},
): Promise<T> {
  await current?.wait(milliseconds, signal);
  return value;
}
