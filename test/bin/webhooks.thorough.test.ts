import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import type { Delivery } from '../../bin/webhooks/listen.ts';
import { HOSTILE, SHOWN } from '../local/terminal/hostile-text.ts';
import { serve } from '../local-server.ts';
import { aDelivery, listPage } from './webhooks/api.ts';

// New processes start slowly while many tests run.
/** Starts the command as its user does. Only its output is no terminal. */
function start(args: string[], environment: Record<string, string> = {}) {
  return spawn(process.execPath, [join(import.meta.dirname, '../../bin/genway.ts'), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(args: string[], environment?: Record<string, string>) {
  const child = start(args, environment);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code };
}

test('--help exits with 0 and lists the options', async () => {
  const { stdout, stderr, code } = await run(['listen', '--help']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('--forward <url>');
});

test('a wrong command line exits with 2 and says what is wrong', async () => {
  const { stdout, stderr, code } = await run(['listen', '--what']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/--what[\s\S]*--forward <url>/);
});

test('a refused key exits with 1, and is not shown', async () => {
  const api = await serve(() => ({ status: 401, body: { error: { message: 'Invalid API key' } } }));
  const environment = { GENWAY_URL: `${api.url}/api/v1`, GENWAY_API_KEY: 'mk-private' };
  expect(await run(['listen'], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The API returned 401: Invalid API key\n',
  });
  await api.close();
});

test('control characters from a server are shown escaped', async () => {
  const api = await serve(() => ({ status: 401, body: { error: { message: HOSTILE } } }));
  const { stderr } = await run(['listen'], { GENWAY_URL: `${api.url}/api/v1`, GENWAY_API_KEY: 'mk-1' });
  expect(stderr).toBe(`The API returned 401: ${SHOWN}\n`);
  await api.close();
});

test('it shows a delivery without colours, and exits with 0 at a signal', async () => {
  const deliveries: Delivery[] = [];
  const api = await serve(({ url }) => listPage(deliveries, url));
  const child = start(['listen'], { GENWAY_URL: `${api.url}/api/v1`, GENWAY_API_KEY: 'mk-1' });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe(
    'Listening for webhooks of the workspace default. Press Ctrl-C to stop.',
  );
  deliveries.unshift(aDelivery('msg_1'));
  expect((await lines.next()).value).toBe('09:43:02  video.generation.completed  msg_1  pending');
  const closed = once(child, 'close');
  child.kill('SIGINT');
  expect((await closed)[0]).toBe(0);
  await api.close();
});
