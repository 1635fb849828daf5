import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { emptyStateFolder, stateFolder, writePrivateJson } from '../../../local/system/state-folder.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'genway-state-'));
});

afterEach(() => rm(root, { recursive: true }));

test('emptying deletes the state and nothing else', async () => {
  const state = stateFolder(root);
  await mkdir(state.emulator.services, { recursive: true });
  await mkdir(state.cdkOut);
  await mkdir(state.metrics);
  for (const file of [state.runFile, state.keysFile, state.outputsFile]) await writeFile(file, '{}');
  await writeFile(join(root, 'thesis.txt'), 'not ours');
  await mkdir(join(root, 'emulator-1.0.0'));
  await emptyStateFolder(state);
  expect((await readdir(root)).sort()).toEqual(['emulator-1.0.0', 'thesis.txt']);
});

test('emptying a missing folder is not an error', async () => {
  await expect(emptyStateFolder(stateFolder(join(root, 'never')))).resolves.toBeUndefined();
});

test('files with keys are only for this user, and leave no temporary file', async () => {
  const file = join(root, 'new', 'run.json');
  await writePrivateJson(file, { key: 'secret' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, 'new'))).toEqual(['run.json']);
});

test('they leave no temporary file either if they cannot be written', async () => {
  const file = join(root, 'run.json');
  await mkdir(join(file, 'in-its-place'), { recursive: true });
  await expect(writePrivateJson(file, { key: 'secret' })).rejects.toMatchObject({ syscall: 'rename' });
  expect(await readdir(root)).toEqual(['run.json']);
});
