import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeTypescriptPackage, writeWheel } from '../../bin/pack/own-clients.ts';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { findFreePort } from '../../local/system/ports.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { type Block, blocksOf, ROOT } from '../docs/blocks.ts';
import { call, newWorkspace, stage } from './stage.ts';

const MINUTE = 60_000;
const MOST_LINES = 12;

let folder: string;
let workspace: Awaited<ReturnType<typeof newWorkspace>>;
let environment: NodeJS.ProcessEnv;

/** Installs both packages as a user does, in a folder without the checkout. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-clients-'));
  const modules = join(folder, 'node_modules/@genway');
  await mkdir(modules, { recursive: true });
  await writeTypescriptPackage(join(modules, 'client'));
  const wheel = await writeWheel(folder);
  const packages = join(folder, 'packages');
  const options = ['--no-index', '--no-deps', '--quiet', '--disable-pip-version-check', '--target', packages];
  const installed = await runCommand('python3', ['-m', 'pip', 'install', ...options, wheel]);
  expect(installed).toMatchObject({ code: 0 });
  await copyFile(join(ROOT, 'docs/images/reference-390-light.png'), join(folder, 'fox.png'));
  workspace = await newWorkspace();
  environment = {
    PATH: process.env.PATH,
    PYTHONPATH: packages,
    GENWAY_URL: stage.baseUrl,
    GENWAY_API_KEY: workspace.key,
  };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The command that runs a block. */
async function programOf({ language, text }: Block): Promise<[string, ...string[]]> {
  const file = join(folder, `block.${language === 'ts' ? 'mts' : 'py'}`);
  await writeFile(file, text);
  return language === 'ts' ? [process.execPath, '--no-warnings', file] : ['python3', '-B', file];
}

describe.each(['typescript', 'python'])('the client in clients/%s', (name) => {
  const page = `clients/${name}/README.md`;
  const blocks = blocksOf(page).filter(({ notRun }) => notRun === undefined);
  const [video, receiver, errors] = blocks;

  test('has a README whose three blocks have twelve lines at most, or show the errors', () => {
    const lines = blocks.map(({ text }) => text.split('\n').filter((line) => line.trim() !== '').length);
    expect(blocks.map(({ language }) => language)).toEqual(
      Array(3).fill(name === 'python' ? 'python' : 'ts'),
    );
    for (const count of lines.slice(0, 2)) expect(count).toBeLessThanOrEqual(MOST_LINES);
  });

  test('uploads a file, makes a video that begins with it, and saves that', async () => {
    const [command, ...args] = await programOf(video!);
    const { code, output } = await runCommand(command, args, { cwd: folder, env: environment });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/fox\.mp4 cost \$0\.02$/) });
    expect(describeMp4(await readFile(join(folder, 'fox.mp4')))).toMatchObject({ durationSeconds: 2 });
    await rm(join(folder, 'fox.mp4'));
  });

  test('says why a job has no video', async () => {
    const [command, ...args] = await programOf(errors!);
    const { code, output } = await runCommand(command, args, { cwd: folder, env: environment });
    expect({ code, output }).toEqual({ code: 0, output: 'moderation' });
  });

  test('verifies a webhook, and refuses one that was not signed', async () => {
    const port = await findFreePort();
    const { body } = await call('POST', `/workspaces/${workspace.id}/webhook-secret/reveal`, {
      key: stage.managementKey,
    });
    const env = { ...environment, PORT: String(port), GENWAY_WEBHOOK_SECRETS: body.secret };
    const [command, ...args] = await programOf(receiver!);
    const process = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const url = `http://127.0.0.1:${port}/`;
      await untilItListens(url);
      const path = `/workspaces/${workspace.id}/webhook/test`;
      const sent = await call('POST', path, { key: stage.managementKey, json: { url } });
      expect(sent.status).toBe(202);
      expect(await firstLine(process)).toMatch(/^webhook\.test /);
      const forged = { method: 'POST', body: '{"type":"webhook.test"}' };
      expect((await fetch(url, forged)).status).toBe(401);
    } finally {
      process.kill();
    }
  });
});

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) return line;
  return '';
}

/** Any answer will do: nothing unsigned is accepted. */
async function untilItListens(url: string): Promise<void> {
  const until = Date.now() + MINUTE;
  while (Date.now() < until) {
    if (await fetch(url, { method: 'POST', body: 'x' }).catch(() => undefined)) return;
  }
  throw new Error('The receiver does not listen');
}
