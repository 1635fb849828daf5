import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';

const entrySchema = v.object({
  integrity: v.optional(v.string()),
  resolved: v.optional(v.string()),
  /** The package is part of another package's tarball, whose integrity covers it. */
  inBundle: v.optional(v.boolean()),
  link: v.optional(v.boolean()),
  license: v.optional(v.string()),
  /** Only builds, tests and deploys. */
  dev: v.optional(v.boolean()),
});
const lockSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ lockfileVersion: v.literal(3), packages: v.record(v.string(), entrySchema) }),
);

const LOCKS = [
  'package-lock.json',
  'test/vendor-clients/package-lock.json',
  'test/generators/package-lock.json',
  'test/ai-clients/package-lock.json',
];
const installed = LOCKS.flatMap((file) =>
  Object.entries(v.parse(lockSchema, readFileSync(file, 'utf8')).packages).filter(([path]) => path !== ''),
);
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

/** Licences that ask for their text to be included at most. A person must read any other licence first. */
const PERMISSIVE = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0', 'Unlicense'];

/**
 * Both are used unchanged. The first asks for the sources of its own files alone. The second holds FFmpeg, built without its
 * parts under the GPL, in a file of its own that anybody can replace, as the LGPL asks.
 */
const READ = ['node_modules/@node-webcodecs/static-linux-x64', 'node_modules/mediabunny'];

test('every package of a deployment has a permissive licence, or one that somebody has read', () => {
  expect(pathsOf(({ dev = false, license = '' }) => !dev && !PERMISSIVE.includes(license))).toEqual(READ);
});
