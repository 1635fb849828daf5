import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PLANTED_BUGS } from './planted-bugs.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the planted bugs', () => {
  test.each(PLANTED_BUGS)('$name: can be planted in one place', ({ file, from, to }) => {
    expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
  });

  test.each(PLANTED_BUGS)('$name: names existing tests that must find it', ({ tests = [] }) => {
    expect(tests.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  test('have unique names', () => {
    const names = PLANTED_BUGS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
