import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { signatureHeaders } from '../../functions/webhooks/signature.ts';

// New processes start slowly while many tests run.
const sample = join(import.meta.dirname, '../../docs/webhooks/express-receiver.ts');
const secrets = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;

let folder: string;
let receiver: ChildProcessByStdio<null, Readable, null>;
let lines: AsyncIterator<string>;
let url: string;

const nextLine = async (): Promise<string> => (await lines.next()).value;

async function start(): Promise<void> {
  receiver = spawn(process.execPath, ['--no-warnings', sample], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE: join(folder, 'webhooks.db'),
      GENWAY_WEBHOOK_SECRETS: secrets.map((secret) => `whsec_${secret.toString('base64')}`).join(' '),
    },
  });
  lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
  const { port } = JSON.parse((await nextLine()).replace('listening ', ''));
  url = `http://127.0.0.1:${port}/genway`;
}

async function stop(): Promise<void> {
  const ended = once(receiver, 'exit');
  receiver.kill();
  await ended;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genway-express-'));
  await start();
});
afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const eventOf = (job: string, type = 'video.generation.completed'): string =>
  // A parser would drop these spaces. Only the raw body has this signature.
  `{ "type": "${type}",  "data": { "id": "${job}", "prompt": "é🦊" } }`;

async function deliver(id: string, body: string, secret = secrets[0], sent = body): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'content-type': 'application/json',
    ...signatureHeaders({ id, timestamp, body }, [secret]),
  };
  return (await fetch(url, { method: 'POST', headers, body: sent })).status;
}

test('an event is answered and handled only once, with either secret', async () => {
  expect(await deliver('msg_1', eventOf('vid_1'))).toBe(204);
  expect(await nextLine()).toBe('video.generation.completed vid_1');
  expect(await deliver('msg_1', eventOf('vid_1'))).toBe(204);
  expect(await deliver('msg_2', eventOf('vid_2', 'video.generation.failed'), secrets[1])).toBe(204);
  expect(await nextLine()).toBe('video.generation.failed vid_2');
});

test('an event that is about no job is shown with its workspace', async () => {
  const body = JSON.stringify({ type: 'webhook.test', data: { workspace_id: 'w1' } });
  expect(await deliver('msg_test', body)).toBe(204);
  expect(await nextLine()).toBe('webhook.test w1');
});

test('an unsigned or changed event is refused and not stored', async () => {
  expect(await deliver('msg_3', eventOf('vid_3'), Buffer.alloc(32, 3))).toBe(401);
  expect(await deliver('msg_3', eventOf('vid_3'), secrets[0], eventOf('vid_4'))).toBe(401);
  const body = JSON.stringify(JSON.parse(eventOf('vid_3')));
  expect(await deliver('msg_3', eventOf('vid_3'), secrets[0], body)).toBe(401);
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  expect(await deliver('msg_3', eventOf('vid_3'))).toBe(204);
  expect(await nextLine()).toBe('video.generation.completed vid_3');
});

test('handled events are remembered after a restart', async () => {
  // By the time of this answer the receiver has remembered its earlier events, so the restart cannot lose them.
  expect(await deliver('msg_3', eventOf('vid_3'))).toBe(204);
  await stop();
  await start();
  expect(await deliver('msg_3', eventOf('vid_3'))).toBe(204);
  expect(await deliver('msg_5', eventOf('vid_5'))).toBe(204);
  expect(await nextLine()).toBe('video.generation.completed vid_5');
});
