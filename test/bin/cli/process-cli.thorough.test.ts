import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '../../..');
const AWS = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

test.each<[string, string[], readonly [number | null, string | null]]>([
  ['ends itself if its exit code matters', ['jobs', '--key', 'k'], [130, null]],
  ['is ended by the signal if it has nothing to clean up', ['adopt', '--stage', 'none'], [null, 'SIGINT']],
])('a command that waits for an answer %s, on Ctrl-C', async (_, args, expected) => {
  const stuck = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(stuck, 'listening');
  const { port } = v.parse(v.object({ port: v.number() }), stuck.address());
  const url = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env.PATH, ...AWS, AWS_ENDPOINT_URL: url, GENWAY_URL: `${url}/api/v1` };
  const child = spawn(process.execPath, ['bin/genway.ts', ...args], { cwd: ROOT, env, stdio: 'ignore' });
  try {
    await once(stuck, 'request');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual(expected);
  } finally {
    child.kill('SIGKILL');
    stuck.closeAllConnections();
    stuck.close();
  }
});

test.each([
  ['no region', {}, 'No region is set. Set AWS_REGION, or a region in the profile'],
  [
    'no credentials',
    { AWS_REGION: 'us-east-1' },
    'No valid AWS credentials were found. Set AWS_PROFILE, or sign in',
  ],
])('a command that finds %s for AWS says what to set', async (_, settings, advice) => {
  const nothing = { HOME: join(ROOT, 'no-such-home'), AWS_EC2_METADATA_DISABLED: 'true' };
  const env = { PATH: process.env.PATH, ...nothing, ...settings };
  const child = spawn(process.execPath, ['bin/genway.ts', 'adopt', '--stage', 'none'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, said]).toEqual([1, expect.stringMatching(new RegExp(`^${RegExp.escape(advice)}.*\n$`))]);
});

test('signals are taken by the first look, and by no other', async () => {
  const program = `import { processCli } from './bin/cli/process-cli.ts';
    const cli = processCli();
    const listeners = () => process.listenerCount('SIGINT');
    const before = listeners();
    for (let looks = 0; looks < 20; looks++) cli.interrupted;
    console.log(before, listeners());`;
  const args = ['--input-type=module-typescript', '--eval', program];
  const ended = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  expect(ended).toEqual({ stdout: '0 1\n', stderr: '' });
});
