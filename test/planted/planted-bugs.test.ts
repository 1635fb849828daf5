import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { BUGS_FOR_TESTS } from './bugs-for-tests.ts';
import { BUGS_FOR_SIMULATOR, type PlantedBug } from './planted-bugs.ts';

const ALL = [BUGS_FOR_SIMULATOR, ...Object.values(BUGS_FOR_TESTS)].flatMap(Object.entries<PlantedBug>);
const ROOT = join(import.meta.dirname, '../..');
const sources = globSync('functions/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);

describe('the planted bugs', () => {
  test.each(ALL)('%s: can be planted in one place', (_, [from, to]) => {
    expect(sources.flatMap((source) => source.split(from).slice(1))).toHaveLength(1);
    expect(to).not.toBe(from);
  });

  test('have unique names', () => {
    const names = ALL.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});
