import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { downloadsFolder } from '../../../bin/cli/downloads-folder.ts';

let parent: string;
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'genway-downloads-'));
});
afterAll(() => rmSync(parent, { recursive: true }));

test('a new folder for downloads tells git to leave it out', async () => {
  const folder = await downloadsFolder(parent);
  expect(folder).toBe(join(parent, 'downloads'));
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

test('a folder that is there already stays as it is', async () => {
  const mine = join(parent, 'mine');
  mkdirSync(join(mine, 'downloads'), { recursive: true });
  expect(readdirSync(await downloadsFolder(mine))).toEqual([]);
});
