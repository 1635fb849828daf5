import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { expressionsIn } from './expressions.ts';
import { inAThread } from './in-a-thread.ts';

const ROOT = join(import.meta.dirname, '../..');
const READS_FROM_OUTSIDE = ['functions', 'lib/edge', 'local', 'bin'];
/** The test takes a minute on a busy machine. */
const DEADLINE_MS = 600_000;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...READS_FROM_OUTSIDE], {
  cwd: ROOT,
})
  .toString()
  .split('\n')
  .filter((file) => /\.[jt]s$/.test(file));
const found = files.map((file) => expressionsIn(join(ROOT, file), ROOT));
const literals = found.flatMap((file) => file.literals);

describe('the regular expressions that read outside text', () => {
  test('are found', () => {
    expect(literals.length).toBeGreaterThan(100);
    expect(literals).toContainEqual({
      place: expect.stringMatching(/^functions\/files\/type-detection\/pdf-header\.ts:\d+$/),
      source: '%PDF-\\d\\.\\d',
      flags: '',
    });
  });

  test('are all literals, since no other can be checked', () => {
    expect(found.flatMap((file) => file.made)).toEqual([]);
  });

  test(
    'are linear',
    async () => {
      expect(await inAThread('check-expressions.ts', literals, DEADLINE_MS)).toEqual([]);
    },
    DEADLINE_MS,
  );

  test(
    'would not be with one of these',
    async () => {
      const bad = [
        { place: 'a', source: '([\\w:]+)\\s*=', flags: 'g' },
        { place: 'b', source: ';?\\s*$', flags: '' },
        { place: 'c', source: '(?=[\\w-]*\\d)[\\w-]{24,}', flags: 'i' },
        { place: 'd', source: '^(a|a)*$', flags: '' },
      ];
      expect(await inAThread('check-expressions.ts', bad, DEADLINE_MS)).toEqual([
        expect.stringMatching(/^a: .* is 2nd degree polynomial, as with '0'\.repeat/),
        expect.stringMatching(/^b: .* is 2nd degree polynomial/),
        expect.stringMatching(/^c: .* is 2nd degree polynomial/),
        expect.stringMatching(/^d: .* is exponential/),
      ]);
    },
    DEADLINE_MS,
  );
});
