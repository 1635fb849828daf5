import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeClientPackage } from '../../bin/pack/client-package.ts';
import { serve } from '../local-server.ts';

let folder: string;
let packages: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-pack-'));
  packages = await writeClientPackage(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs with the Node.js of the user, which may be older than the one in node_modules. */
async function genway(...args: string[]) {
  const PATH = (process.env.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
  const env = { PATH: PATH.join(delimiter) };
  return promisify(execFile)('node', [join(folder, 'genway.mjs'), ...args], { cwd: folder, env });
}

test('the package is one file without dependencies, and includes the licences of its parts', async () => {
  expect(packages).toEqual([
    'node_modules/@commander-js/extra-typings',
    'node_modules/commander',
    'node_modules/valibot',
  ]);
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'genway', bin: 'genway.mjs', type: 'module' });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
  const licences = await readFile(join(folder, 'LICENSES-OF-PACKAGES'), 'utf8');
  for (const name of ['commander', 'valibot']) expect(licences).toMatch(new RegExp(`^${name}$`, 'm'));
  await access(join(folder, 'LICENSE'), constants.R_OK);
});

test('it has the commands that call a deployment, and says where to find the others', async () => {
  const { stdout } = await genway('--help');
  for (const name of ['video', 'upload', 'jobs', 'listen', 'trigger', 'keys', 'budget']) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
  }
  expect(stdout).not.toMatch(/^ {2}(up|admin|doctor)\b/m);
  expect(stdout).toContain('In a checkout of Genway');
  await expect(genway('up')).rejects.toMatchObject({ code: 2 });
});

test('its commands call the given deployment', async () => {
  const api = await serve(({ url }) => ({
    status: 200,
    body: { data: [{ id: 'vid_1', status: 'completed', model: url }] },
  }));
  const { stdout } = await genway('jobs', '--url', `${api.url}/api/v1`, '--key', 'k', '--limit', '1');
  await api.close();
  expect(stdout).toMatch(/^vid_1 {2}completed +\/api\/v1\/videos\?limit=1\n$/);
});
