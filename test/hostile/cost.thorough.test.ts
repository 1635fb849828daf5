import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { BODIES, JSON_ELEMENTS, STRUCTURAL } from './bodies.ts';
import { STEPS } from './steps.ts';

/** The test takes half a minute, and more on a busy machine. A step that is not linear would take hours. */
const DEADLINE_MS = 600_000;

test(
  'every step ends with every hostile body, and takes at most 20 times as long as reading it',
  () => {
    // Only the end of its process can stop an expression that hangs.
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-warnings', join(import.meta.dirname, 'measure.ts')],
      { encoding: 'utf8', timeout: DEADLINE_MS },
    );
    const [, ...tried] = stdout.split('\n');
    expect({ status, stderr, last: tried.at(-1) }).toEqual({
      status: 0,
      stderr: '',
      last: expect.anything(),
    });
    expect(tried.filter((pair) => pair.endsWith(' times reading'))).toEqual([]);
    const bodies = Object.keys(BODIES).length + STRUCTURAL.length + JSON_ELEMENTS.length;
    expect(tried).toHaveLength(Object.keys(STEPS).length * bodies);
  },
  DEADLINE_MS + 10_000,
);
