import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { cleanEnvironment } from '../../local/emulator/aws-access.ts';
import { isFree } from '../../local/system/ports.ts';
import { stateFolder } from '../../local/system/state-folder.ts';

const START_DEADLINE_MS = 180_000;
/** Stopping takes a fifth of that. The rest is for a busy machine. */
const STOP_DEADLINE_MS = 30_000;

const runSchema = v.object({
  base_url: v.string(),
  api_key: v.string(),
  pid: v.number(),
  aws: v.object({ endpoint_url: v.string() }),
});

let state: ReturnType<typeof stateFolder>;
let child: ChildProcessByStdio<null, Readable, Readable>;
let output: Promise<string>;

beforeAll(async () => {
  state = stateFolder(await mkdtemp(join(tmpdir(), 'genway-stop-')));
  const program = join(import.meta.dirname, '../../bin/genway.ts');
  child = spawn(process.execPath, [program, 'up', '--port', '0', '--state', state.root], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  output = Promise.all([child.stdout, child.stderr].map((stream) => text(stream))).then(String);
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!existsSync(state.runFile) && child.exitCode === null && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}, START_DEADLINE_MS + 5_000);

afterAll(async () => {
  if (child.exitCode === null) child.kill('SIGKILL');
  await rm(state.root, { recursive: true, force: true });
});

/** A request that never ends. */
async function halfSent(url: URL, head: readonly string[]): Promise<Socket> {
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write([...head, `Host: ${url.host}`, 'Transfer-Encoding: chunked', '', '1', 'x', ''].join('\r\n'));
  return socket;
}

test(
  'Ctrl-C ends the whole run, at any time',
  async () => {
    const run = v.parse(runSchema, JSON.parse(await readFile(state.runFile, 'utf8')));
    const edge = new URL(run.base_url);
    const emulator = new URL(run.aws.endpoint_url);
    const authorization = `Authorization: Bearer ${run.api_key}`;
    const upload = [authorization, 'Content-Type: multipart/form-data; boundary=b'];
    const sockets = await Promise.all([
      ...Array.from({ length: 14 }, () => halfSent(edge, ['POST /api/v1/files HTTP/1.1', ...upload])),
      halfSent(edge, ['POST /api/v1/videos HTTP/1.1', authorization, 'Content-Type: application/json']),
      halfSent(emulator, ['PUT /bucket/object HTTP/1.1']),
      halfSent(emulator, [`POST /_aws/execute-api/x/api/v1/files HTTP/1.1`]),
    ]);
    const drip = setInterval(() => {
      for (const socket of sockets) socket.write('1\r\nx\r\n');
    }, 20);
    const headers = { authorization: `Bearer ${run.api_key}` };
    const body = JSON.stringify({ model: 'sandbox/clip-1', prompt: 'A red fox' });
    const submits = Array.from({ length: 8 }, () =>
      fetch(`${run.base_url}/videos`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }),
    );
    // Some requests have been answered, and the others are under way.
    await Promise.race(submits);

    child.kill('SIGINT');
    const [code] = await once(child, 'exit', { signal: AbortSignal.timeout(STOP_DEADLINE_MS) });
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
    await Promise.allSettled(submits);

    expect([code, await output]).toEqual([0, expect.stringContaining('Stopping, and saving the data')]);
    expect(await Promise.all([edge, emulator].map(({ port }) => isFree(Number(port))))).toEqual([true, true]);
    expect(existsSync(state.runFile)).toBe(false);
    const stacks = await readFile(join(state.emulator.services, 'cloudformation.json'), 'utf8');
    expect(stacks).toContain('"Genway-local"');
  },
  STOP_DEADLINE_MS + 30_000,
);
