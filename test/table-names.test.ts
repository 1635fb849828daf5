import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..');
/** What the stores read pages and batches with: each is handed the table by the store that calls it. */
const READERS = ['functions/aws/batch-get.ts', 'functions/aws/read-page.ts'];
const files = globSync('functions/**/*.ts', { cwd: ROOT }).filter((file) => !READERS.includes(file));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const found = (pattern: RegExp) =>
  files.flatMap((file) => [...textOf(file).matchAll(pattern)].map(([text]) => `${file}: ${text}`));

describe('the name of a table', () => {
  test('is written into requests by the store alone that owns it', () => {
    expect(found(/\bTableName: .+/g).length).toBeGreaterThan(30);
    expect(found(/\bTableName: (?!this\.#tables?\b).+/g)).toEqual([]);
  });

  test('is read from the environment only to make a store', () => {
    expect(found(/.*\bsetting\('\w+Table'\).*/g).length).toBeGreaterThan(8);
    expect(
      found(/.*\bsetting\('\w+Table'\).*/g).filter((line) => !/new [A-Z]\w+\(dynamo, /.test(line)),
    ).toEqual([]);
  });
});
