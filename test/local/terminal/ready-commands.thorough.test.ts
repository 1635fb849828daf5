import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { readyText } from '../../../local/terminal/ready.ts';
import { plain } from '../../../local/terminal/text.ts';

const run = promisify(execFile);

/** Answers the printed commands like the API. */
async function listen(seen: string[]) {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    seen.push(describeRequest(request, body));
    response.setHeader('content-type', 'application/json');
    response.end(request.url?.endsWith('/content') ? 'the clip' : '{"id":"vid_1","status":"pending"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { server, baseUrl: `http://127.0.0.1:${address.port}/api/v1` };
}

function describeRequest({ method, url, headers }: IncomingMessage, body: string): string {
  const type = headers['content-type']?.split(';')[0] ?? '-';
  const json = type === 'application/json' ? Object.keys(JSON.parse(body)).join() : '';
  return `${method} ${url} ${headers.authorization} ${type} ${json}`.trimEnd();
}

test('the printed commands work when they are pasted', async () => {
  const seen: string[] = [];
  const { server, baseUrl } = await listen(seen);
  const folder = await mkdtemp(join(tmpdir(), 'genway-ready-'));
  try {
    const facts = { baseUrl, managementKey: 'MANAGER', apiKey: 'CALLER', runFile: 'run.json', seconds: 1 };
    const printed = readyText(facts, plain).split('\n');
    const pasted = printed.filter((line) => line.startsWith('#') || line.includes('curl ')).join('\n');
    await run('sh', ['-euc', pasted], { cwd: folder });
    expect(await readFile(join(folder, 'downloads/video.mp4'), 'utf8')).toBe('the clip');
  } finally {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
  expect(seen).toEqual([
    'POST /api/v1/workspaces Bearer MANAGER application/json name,slug',
    'POST /api/v1/files Bearer CALLER multipart/form-data',
    'POST /api/v1/videos Bearer CALLER application/json model,prompt,duration',
    'GET /api/v1/videos/vid_1 Bearer CALLER -',
    'GET /api/v1/videos/vid_1/content Bearer CALLER -',
  ]);
});
