import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for a random part of the time, so that two who collided do not collide again. It is a module of its own so that
 * tests on a virtual clock can put theirs in its place (`waitBy`).
 */
export const jitteredPause = (longestMilliseconds: number): Promise<void> =>
  wait(longestMilliseconds * Math.random());
