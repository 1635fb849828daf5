import { describe, expect, test } from '@jest/globals';
import { textProgress } from '../../../local/terminal/progress.ts';
import { HOSTILE, SHOWN } from './hostile-text.ts';

/** A stream that records its output, and a clock that the work advances. */
function setUp(isTTY: boolean, columns?: number) {
  let now = 1000;
  const written: string[] = [];
  const progress = textProgress({ isTTY, columns, write: (text: string) => written.push(text) }, () => now);
  return { progress, written, pass: (milliseconds: number) => (now += milliseconds) };
}

describe('away from a terminal', () => {
  test('a step prints a line at its start, and one with its time at its end', async () => {
    const { progress, written, pass } = setUp(false);
    const result = await progress.step('Working', async (detail) => {
      detail('half way');
      pass(1250);
      return 42;
    });
    expect(result).toBe(42);
    expect(written).toEqual(['… Working\n', '✓ Working (1.3 s)\n']);
  });

  test('a failed step prints that, and passes its error on', async () => {
    const { progress, written } = setUp(false);
    const failing = progress.step('Working', () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(written).toEqual(['… Working\n', '✗ Working\n']);
  });
});

describe('on a terminal', () => {
  test('the detail of a step is shown with escaped control characters', async () => {
    const { progress, written } = setUp(true, 200);
    await progress.step('Working', async (detail) => detail(HOSTILE));
    expect(written[1]).toContain(`Working: ${SHOWN}`);
  });

  test('a step stays on one line with its detail, and ends with its time', async () => {
    const { progress, written, pass } = setUp(true);
    await progress.step('Working', async (detail) => {
      detail('half way');
      pass(500);
    });
    expect(written.map((text) => text.includes('\n'))).toEqual([false, false, true]);
    expect(written[1]).toContain('Working: half way');
    expect(written[2]).toContain('0.5 s');
  });

  test.each([
    ['40 columns', 40, 27],
    ['an unknown width', undefined, 67],
    ['a width of 0, as some pseudo-terminals have', 0, 67],
  ])('a long detail is cut at %s, because a wrapped line cannot be erased', async (_case, columns, left) => {
    const { progress, written } = setUp(true, columns);
    await progress.step('Working', async (detail) => detail('x'.repeat(500)));
    expect(written[1]?.match(/x+/)?.[0].length).toBe(left);
  });
});
