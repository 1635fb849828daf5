import { expect, test } from '@jest/globals';
import { BODIES, JSON_ELEMENTS, STRUCTURAL } from './bodies.ts';
import { inAThread } from './in-a-thread.ts';
import { STEPS } from './steps.ts';

/** The test takes half a minute, and more on a busy machine. */
const DEADLINE_MS = 600_000;

test(
  'no step takes more than 20 times as long as reading the body',
  async () => {
    const bodies = Object.keys(BODIES).length + STRUCTURAL.length + JSON_ELEMENTS.length;
    expect(await inAThread('measure.ts', undefined, DEADLINE_MS)).toEqual([
      Object.keys(STEPS).length * bodies,
    ]);
  },
  DEADLINE_MS + 10_000,
);
