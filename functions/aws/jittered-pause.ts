import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits for a random part of a time, so that two who met once do not meet again. A module of its own, because
 * tests on a virtual clock put theirs in its place (`waitBy`).
 */
export const jitteredPause = (longestMilliseconds: number): Promise<void> =>
  wait(longestMilliseconds * Math.random());
