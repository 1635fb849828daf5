import { expect, test } from '@jest/globals';
import { BODIES } from './bodies.ts';
import { inAThread } from './in-a-thread.ts';
import { STEPS } from './steps.ts';

/** The whole takes seconds. What is not linear takes hours, so that only this ends it. */
const DEADLINE_MS = 300_000;

const pairs = Object.keys(STEPS).flatMap((step) => Object.keys(BODIES).map((body) => [step, body]));

test(
  'every step comes to the end of every hostile body',
  async () => {
    expect(await inAThread('run.ts', pairs, DEADLINE_MS)).toHaveLength(pairs.length);
  },
  DEADLINE_MS + 10_000,
);
