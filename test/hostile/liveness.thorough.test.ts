import { expect, test } from '@jest/globals';
import { BODIES, STRUCTURAL } from './bodies.ts';
import { inAThread } from './in-a-thread.ts';
import { STEPS } from './steps.ts';

/** The test takes seconds, or a minute on a busy machine. A step that is not linear would take hours. */
const DEADLINE_MS = 600_000;

test(
  'every step finishes with every hostile body',
  async () => {
    const tried = Object.keys(STEPS).length * (Object.keys(BODIES).length + STRUCTURAL.length);
    expect(await inAThread('run.ts', undefined, DEADLINE_MS)).toHaveLength(tried);
  },
  DEADLINE_MS + 10_000,
);
