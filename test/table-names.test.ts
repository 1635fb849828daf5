import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..');
/**
 * Helpers that read pages and batches, and programs that read or repair whole tables. All of them get the table as an
 * argument.
 */
const HANDED = /^functions\/(aws\/dynamo-reads|(endpoints\/)?reconciling\/.*)(\.ts)?$/;
const files = globSync('functions/**/*.ts', { cwd: ROOT }).filter((file) => !HANDED.test(file));
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const found = (pattern: RegExp) =>
  files.flatMap((file) => [...textOf(file).matchAll(pattern)].map(([text]) => `${file}: ${text}`));

describe('the name of a table', () => {
  test('is used in requests only by the store that owns it', () => {
    expect(found(/\bTableName: .+/g).length).toBeGreaterThan(30);
    expect(found(/\bTableName: (?!this\.#?tables?\b).+/g)).toEqual([]);
  });

  test('is read from the environment only to create a store', () => {
    const reads = found(/^.*\bsetting\('\w+Table'\).*$/gm);
    expect(reads.length).toBeGreaterThan(8);
    expect(reads.filter((line) => !/new [A-Z]\w+\(dynamo, /.test(line))).toEqual([]);
  });
});
