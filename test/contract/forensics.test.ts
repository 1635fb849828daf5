import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { hashKey } from '../../functions/keys/key-format.ts';
import { downloadLine } from '../../local/edge/answered-request.ts';
import { rawLine } from '../../local/logs/log-format.ts';
import { blocksOf } from '../docs/blocks.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

/** The commands of the runbook's page about a stolen key, in its order. */
const [WHAT, WHERE, WHO] = blocksOf('docs/runbook.md')
  .filter(({ text }) => text.startsWith('jq '))
  .flatMap(({ text }) => text.split('\n'));

/** Another address of this machine. */
const ELSEWHERE = '127.0.0.2';

const folder = mkdtempSync(join(tmpdir(), 'genway-forensics-'));
let key: string;
let workspaceId: string;
let file: string;
let token: string;

/** What `npm start -- --json` writes, of the lines that a pattern finds. */
const logOf = (pattern: string) =>
  readFileSync(stage.logFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(pattern))
    .map((line) => `${rawLine(JSON.parse(line))}\n`);

function ask(command = '', environment: Record<string, string>): string[] {
  const { stdout, stderr } = spawnSync('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

beforeAll(async () => {
  ({ key, id: workspaceId } = await newWorkspace());
  const form = new FormData();
  form.set('file', new Blob(['fox']), 'fox.txt');
  file = (await call('POST', '/files', { key, body: form })).body.id;
  ({ token } = (await call('POST', '/sessions', { key })).body);
  const headers = { authorization: `Bearer ${token}` };
  const read = request(`${stage.baseUrl}/files/${file}/content`, { localAddress: ELSEWHERE, headers }).end();
  const [answer] = await once(read, 'response');
  expect(answer.resume().statusCode).toBe(302);
  await until(
    async () => logOf(hashKey(key)).length,
    (lines) => lines >= 3,
  );
  writeFileSync(join(folder, 'genway.log'), ['no JSON\n', ...logOf('request answered')].join(''));
});

const WHEN = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

test('what did this key do, and from where?', () => {
  // Each function delivers its own lines.
  const lines = ask(WHAT, { KEY_HASH: hashKey(key) }).map((line) => JSON.parse(line));
  expect(lines.toSorted()).toEqual([
    [WHEN, '127.0.0.1', 'POST /files', file, workspaceId, '200', null],
    [WHEN, '127.0.0.1', 'POST /sessions', hashKey(token), workspaceId, '201', null],
    [WHEN, ELSEWHERE, 'GET /files/{file}/content', file, workspaceId, '302', hashKey(token)],
  ]);
});

test('which addresses did it have, for which objects, and when?', () => {
  const lines = ask(WHERE, { KEY_HASH: hashKey(key) }).map((line) => JSON.parse(line));
  const seen = { requests: 1, first: WHEN, last: WHEN };
  expect(lines).toEqual(
    expect.arrayContaining([
      { address: '127.0.0.1', object: file, ...seen },
      { address: '127.0.0.1', object: hashKey(token), ...seen },
      { address: ELSEWHERE, object: file, ...seen },
    ]),
  );
  expect(lines).toHaveLength(3);
});

test('who read this file, and who used a link to it?', () => {
  const used = {
    method: 'GET',
    path: `/downloads/${workspaceId}/${file}`,
    status: 200,
    address: '127.0.0.3',
  };
  appendFileSync(join(folder, 'genway.log'), `${downloadLine(used, new Date('2030-01-02T03:04:05Z'))}\n`);
  const lines = ask(WHO, { OBJECT: file }).map((line) => JSON.parse(line));
  expect(lines.toSorted()).toEqual([
    [WHEN, hashKey(key), null, '127.0.0.1', 'POST /files', '200'],
    [WHEN, hashKey(key), hashKey(token), ELSEWHERE, 'GET /files/{file}/content', '302'],
    ['2030-01-02T03:04:05Z', null, null, '127.0.0.3', 'GET', '200'],
  ]);
});
