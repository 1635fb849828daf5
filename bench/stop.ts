/**
 * How long Ctrl-C takes during hostile uploads. Starts the whole local run, opens connections of one key that send a byte
 * from time to time, uploads for another workspace at the same time, sends each of the stored hostile bodies, and stops
 * the run while all connections are open. Fails if one upload of the other workspace is refused, if a hostile body gets no
 * answer within 3 s, or if stopping takes longer than 5 s: `npx node bench/stop.ts`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BODIES } from '../test/hostile/bodies.ts';

const DRIPS = 14;
const DRIP_INTERVAL_MS = 500;
const UPLOADS = 12;
const ANSWER_MS = 3_000;
const STOP_MS = 5_000;
/** Too large for a function. */
const LARGE = Buffer.concat([Buffer.from('# Shot list\n'), Buffer.alloc(5 * 1024 * 1024, 'a fox. ')]);

const root = join(import.meta.dirname, '..');
const state = mkdtempSync(join(tmpdir(), 'genway-stop-'));
const run = spawn('npx', ['node', 'bin/genway.ts', 'up', '--port', '0', '--state', state], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
const drips: Socket[] = [];
try {
  await until(run, 'curl');
  const {
    base_url: api,
    api_key: key,
    management_key: admin,
  } = JSON.parse(readFileSync(join(state, 'run.json'), 'utf8'));
  const other = await aKeyOfAnotherWorkspace(api, admin);
  for (let n = 0; n < DRIPS; n++) drips.push(drip(api, key));
  await sleep(2 * DRIP_INTERVAL_MS);
  const uploads: number[] = [];
  for (let n = 0; n < UPLOADS; n++) uploads.push(await timed(200, () => upload(api, other, LARGE)));
  const bodies: number[] = [];
  for (const make of Object.values(BODIES)) {
    const bytes = make();
    bodies.push(await timed(undefined, () => upload(api, other, bytes)));
    bodies.push(await timed(undefined, () => post(api, other, bytes)));
  }
  const stopping = performance.now();
  process.kill(-(run.pid ?? 0), 'SIGINT');
  await once(run, 'exit');
  const stop = performance.now() - stopping;
  const [upMs, bodyMs] = [Math.max(...uploads), Math.max(...bodies)];
  console.log('| | |\n|---|---|');
  console.log(
    `| ${UPLOADS} uploads of another workspace beside ${DRIPS} drips | all 200, the slowest ${upMs.toFixed(0)} ms |`,
  );
  console.log(`| ${bodies.length} hostile bodies | the slowest answer ${bodyMs.toFixed(0)} ms |`);
  console.log(`| Ctrl-C | ${stop.toFixed(0)} ms |`);
  if (bodyMs > ANSWER_MS || stop > STOP_MS) throw new Error('Too slow');
} finally {
  for (const socket of drips) socket.destroy();
  if (run.exitCode === null && run.signalCode === null) process.kill(-(run.pid ?? 0), 'SIGKILL');
  // The run may still be writing its last lines there.
  await rm(state, { recursive: true, force: true, maxRetries: 10 });
}

/** Keeps reading afterwards, because the run would end if nobody read its output. */
function until(child: ChildProcess, words: string): Promise<void> {
  let seen = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      if (seen.includes(words)) return;
      seen += chunk;
      if (seen.includes(words)) resolve();
    });
    child.once('exit', () => reject(new Error(`The run did not start: ${seen}`)));
  });
}

async function timed(wanted: number | undefined, call: () => Promise<Response>): Promise<number> {
  const begun = performance.now();
  const answer = await call();
  const said = await answer.text();
  if (wanted === undefined ? answer.status >= 500 : answer.status !== wanted) {
    throw new Error(`${answer.status}: ${said}`);
  }
  return performance.now() - begun;
}

function post(api: string, key: string, body: Buffer): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`${api}/videos`, { method: 'POST', headers, body: new Uint8Array(body) });
}

function upload(api: string, key: string, file: Buffer): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), 'file');
  return fetch(`${api}/files`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: form });
}

async function aKeyOfAnotherWorkspace(api: string, admin: string): Promise<string> {
  const create = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const answer = await fetch(`${api}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await answer.text());
  };
  const { data } = await create('/workspaces', { name: 'Other', slug: 'other' });
  return (await create('/keys', { name: 'Other', workspace_id: data.id })).key;
}

/** A chunked upload that sends its bytes slowly and never ends. */
function drip(api: string, key: string): Socket {
  const { hostname, port, host, pathname } = new URL(api);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(
    `POST ${pathname}/files HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n',
  );
  const head = '--b\r\ncontent-disposition: form-data; name=file; filename=x\r\n\r\n';
  socket.write(`${head.length.toString(16)}\r\n${head}\r\n`);
  const timer = setInterval(() => socket.write('1\r\na\r\n'), DRIP_INTERVAL_MS);
  socket.once('close', () => clearInterval(timer));
  return socket;
}
