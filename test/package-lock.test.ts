import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';

const entrySchema = v.object({
  integrity: v.optional(v.string()),
  resolved: v.optional(v.string()),
  /** The package is part of another package's tarball, whose integrity covers it. */
  inBundle: v.optional(v.boolean()),
  link: v.optional(v.boolean()),
});
const lockSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ lockfileVersion: v.literal(3), packages: v.record(v.string(), entrySchema) }),
);

const { packages } = v.parse(lockSchema, readFileSync('package-lock.json', 'utf8'));
const installed = Object.entries(packages).filter(([path]) => path !== '');
const pathsOf = (isWrong: (entry: v.InferOutput<typeof entrySchema>) => boolean) =>
  installed.filter(([, entry]) => isWrong(entry)).map(([path]) => path);

test('npm ci checks the bytes of every package, on every platform', () => {
  expect(installed.length).toBeGreaterThan(500);
  const isChecked = /^sha512-[A-Za-z0-9+/]{86}==$/;
  expect(pathsOf(({ integrity = '', inBundle = false }) => !inBundle && !isChecked.test(integrity))).toEqual(
    [],
  );
});

test('every package comes from the registry that npm is set to', () => {
  expect(pathsOf(({ resolved, link = false }) => link || resolved !== undefined)).toEqual([]);
});
