import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BUGS_FOR_TESTS } from './bugs-for-tests.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';

const ALL = [...BUGS_FOR_TESTS, ...PLANTED_BUGS];
const ROOT = join(import.meta.dirname, '../..');
const sources = globSync('functions/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);

describe('the planted bugs', () => {
  test.each(ALL)('$name: can be planted in one place', ({ from, to }) => {
    expect(sources.flatMap((source) => source.split(from).slice(1))).toHaveLength(1);
    expect(to).not.toBe(from);
  });

  test('have unique names', () => {
    const names = ALL.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
