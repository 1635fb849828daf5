import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { buildIfChanged } from '../../../lib/bundling/build-if-changed.ts';

const PACKAGE_FILE = 'node_modules/@a/b/dist/index.js';
const PROGRAM = 'dist/functions/get-file/index.mjs';
const METAFILE = {
  inputs: {
    'functions/clock.ts': { bytes: 1, imports: [] },
    [PACKAGE_FILE]: { bytes: 1, imports: [] },
    'console/routes.json': { bytes: 1, imports: [] },
  },
  outputs: {},
};

describe('programs', () => {
  let root: string;
  let outdir: string;
  let builds: number;
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const build = async (settings: unknown = [], meanwhile?: () => void) =>
    buildIfChanged(
      outdir,
      settings,
      async (replace) => {
        builds += 1;
        replace(join(root, PROGRAM), Buffer.from('a program'));
        meanwhile?.();
        return METAFILE;
      },
      root,
    );

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'genway-builds-'));
    outdir = join(root, 'dist/functions');
    builds = 0;
    for (const file of [
      'functions/clock.ts',
      'lib/bundling/bundle.ts',
      'lib/upload-server/Dockerfile',
      'console/routes.json',
    ])
      write(file, 'as it was');
    for (const file of ['package.json', 'package-lock.json', 'tsconfig.json']) write(file, 'as it was');
    write('node_modules/.package-lock.json', 'as it was');
    write('node_modules/@a/b/package.json', 'as it was');
    write(PACKAGE_FILE, 'as it was');
    await build();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test('are built once', async () => {
    expect(await build()).toEqual(METAFILE);
    write('docs/limits.md', 'nothing that a program is made of');
    expect(await build()).toEqual(METAFILE);
    expect(builds).toBe(1);
  });

  test.each([
    'functions/clock.ts',
    'functions/new.ts',
    'lib/bundling/bundle.ts',
    'lib/upload-server/Dockerfile',
    'console/routes.json',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'node_modules/.package-lock.json',
    'node_modules/@a/b/package.json',
    PACKAGE_FILE,
    PROGRAM,
    'dist/functions/get-file/later-1.mjs',
    'dist/functions.json',
  ])('are built again when %s has changed', async (file) => {
    write(file, 'as it is');
    await build();
    await build();
    expect(builds).toBe(2);
  });

  test.each([
    'functions/clock.ts',
    PACKAGE_FILE,
    'node_modules/@a/b/package.json',
    PROGRAM,
    'dist/functions.json',
  ])('are built again when %s is gone', async (file) => {
    rmSync(join(root, file));
    await build();
    expect(builds).toBe(2);
  });

  test('are built again for other settings', async () => {
    await build([{ id: 'a/model' }]);
    expect(builds).toBe(2);
  });

  test('are built again when a source has changed while they were built', async () => {
    write('functions/clock.ts', 'as it is');
    await build([], () => write('functions/clock.ts', 'as it is now'));
    await build();
    expect(builds).toBe(3);
  });

  test('are built again when another build has replaced one of them meanwhile', async () => {
    write('functions/clock.ts', 'as it is');
    await build([], () => write(PROGRAM, 'a program with the models of another stage'));
    await build();
    expect(builds).toBe(3);
  });
});
