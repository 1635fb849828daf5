import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { report } from '../../../bin/verify/command.ts';
import { type LocalServer, type Received, serve } from '../../local-server.ts';
import { aDeployment } from '../admin/a-deployment.ts';
import { genway } from '../cli/genway.ts';

let server: LocalServer | undefined;
afterEach(() => server?.close());

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const error = (status: number, type: string, more = {}) => ({
  status,
  body: { error: { code: status, message: `It is a ${status}`, metadata: { error_type: type, ...more } } },
});
const TEXT = 'What a canary has uploaded and will look for.\n';
const MARKS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=1',
  'x-request-id': 'r1',
};

/** The answers of a stage that keeps its promises. A `-` marks requests without a key. */
const KEPT: Readonly<Record<string, Answer>> = {
  'POST /workspaces': { status: 201, body: { data: { id: 'ws-1' } } },
  'POST /keys': { status: 201, body: { key: 'sk-1', data: { hash: 'h1' } } },
  'DELETE /keys/h1': { status: 200, body: {} },
  'DELETE /workspaces/ws-1': { status: 200, body: {} },
  '- GET /openapi.json': { status: 200, body: { openapi: '3.1.0', info: { version: '1.0.0' } } },
  '- GET /files': { ...error(401, 'authentication'), headers: { 'www-authenticate': 'Bearer' } },
  'GET /no-such-path': error(404, 'not_found'),
  'PATCH /files': { ...error(405, 'invalid_request'), headers: { allow: 'GET, POST' } },
  'GET /key': { status: 200, body: {}, headers: MARKS },
  'POST /files': { status: 200, body: { id: 'f1', mime_type: 'text/plain' } },
  'GET /files/f1/content?redirect=false': {
    status: 200,
    body: { url: `data:text/plain,${encodeURIComponent(TEXT)}` },
  },
  'DELETE /files/f1': { status: 200, body: {} },
  '- GET /videos/models': { status: 200, body: { data: [{ id: 'sandbox/clip-1' }] } },
  'POST /videos': error(400, 'invalid_request', { path: 'duration' }),
};

const play = async () => ['file     gw_file_1', 'job      vid_1, cost $0.04'];

async function serveStage(change: Readonly<Record<string, Answer>>): Promise<LocalServer> {
  const answers = { ...KEPT, ...change };
  const answer = ({ method, url, headers }: Received) => {
    const name = `${headers.authorization === undefined ? '- ' : ''}${method} ${url}`;
    return answers[name] ?? { status: 500 };
  };
  server = await serve(answer);
  return server;
}

async function verify(change: Readonly<Record<string, Answer>>, ...args: string[]) {
  const local = await serveStage(change);
  const environment = { GENWAY_URL: local.url, GENWAY_API_KEY: 'mk-1' };
  const ran = await genway(['verify', ...args], { environment }, { play });
  return { ...ran, received: local.received, url: local.url };
}

const outcomes = (out: string) =>
  Object.fromEntries(
    out
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
      .map(([outcome = '', promise = '']) => [promise, outcome]),
  );

describe('genway verify', () => {
  test('finds every promise kept, in a workspace that it deletes', async () => {
    const { code, out, err, received } = await verify({});
    expect([code, err]).toEqual([0, '']);
    expect(outcomes(out)).toEqual({
      'serves its OpenAPI document': 'passed',
      'refuses requests without a key': 'passed',
      'refuses unknown paths and methods': 'passed',
      'sends the security headers and x-request-id': 'passed',
      'refuses requests that bypass the edge': 'skipped',
      'stores a file': 'passed',
      'accepts a large file, or states its limit': 'passed',
      'explains an invalid field': 'passed',
      'completes the demo': 'passed',
      'deletes the temporary workspace': 'passed',
    });
    expect(received.slice(-2).map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /keys/h1',
      'DELETE /workspaces/ws-1',
    ]);
    const managed = received.filter(({ headers }) => headers.authorization === 'Bearer mk-1');
    expect(managed.every(({ url = '' }) => /^\/(keys|workspaces)/.test(url))).toBe(true);
  });

  test('skips what the stage does not offer', async () => {
    const { code, out } = await verify({
      '- GET /videos/models': { status: 200, body: { data: [] } },
      'POST /files': error(413, 'payload_too_large'),
      'GET /files/f1/content?redirect=false': { status: 404 },
    });
    expect(code).toBe(1);
    expect(outcomes(out)).toMatchObject({
      'stores a file': 'failed',
      'accepts a large file, or states its limit': 'passed',
      'explains an invalid field': 'skipped',
      'completes the demo': 'skipped',
    });
  });

  test('accepts the name that API Gateway gives to a header', async () => {
    const headers = { 'x-amzn-remapped-www-authenticate': 'Bearer' };
    const { code, out } = await verify({ '- GET /files': { ...error(401, 'authentication'), headers } });
    expect([code, outcomes(out)['refuses requests without a key']]).toEqual([0, 'passed']);
  });

  const { 'x-request-id': _, ...unmarked } = MARKS;
  test.each<[string, Record<string, Answer>, string]>([
    [
      'serves its OpenAPI document',
      { '- GET /openapi.json': { status: 200, body: { openapi: '3.0.3', info: { version: '1' } } } },
      'OpenAPI 3.0.3',
    ],
    [
      'serves its OpenAPI document',
      { '- GET /openapi.json': { status: 404 } },
      'GET /openapi.json returned 404, not 200',
    ],
    [
      'refuses requests without a key',
      { '- GET /files': error(401, 'authentication') },
      'the www-authenticate header of a 401 is missing, not Bearer',
    ],
    [
      'refuses requests without a key',
      { '- GET /files': { status: 200, body: {}, headers: { 'www-authenticate': 'Bearer' } } },
      'the status is 200, not 401',
    ],
    ['refuses requests without a key', { '- GET /files': error(503, 'x') }, 'the status is 503, not 401'],
    [
      'refuses unknown paths and methods',
      { 'GET /no-such-path': error(403, 'x') },
      'the status is 403, not 404',
    ],
    [
      'refuses unknown paths and methods',
      { 'PATCH /files': error(405, 'x') },
      'the allow header of a 405 lacks POST',
    ],
    [
      'refuses unknown paths and methods',
      { 'GET /no-such-path': { ...error(400, 'x'), status: 404 } },
      'the body says 400',
    ],
    [
      'deletes the temporary workspace',
      { 'DELETE /workspaces/ws-1': error(400, 'x') },
      'could not be deleted: the status is 400',
    ],
    [
      'sends the security headers and x-request-id',
      { 'GET /key': { status: 200, headers: unmarked } },
      'x-request-id is missing',
    ],
    [
      'sends the security headers and x-request-id',
      { 'GET /key': { status: 200, headers: { ...MARKS, 'cache-control': 'public' } } },
      'cache-control is public',
    ],
    ['stores a file', { 'DELETE /files/f1': { status: 500 } }, 'deletion of the file: returned 500'],
    [
      'accepts a large file, or states its limit',
      { 'POST /files': { status: 200, body: { id: 'f1', mime_type: 'text/csv' } } },
      'the file is text/csv',
    ],
    [
      'explains an invalid field',
      { 'POST /videos': error(400, 'x', { path: 'prompt' }) },
      'metadata.path of the error should be duration, but is prompt',
    ],
    [
      'explains an invalid field',
      { 'POST /videos': { status: 202, body: {} } },
      'the status is 202, not 400',
    ],
  ])('reports a broken promise, “%s”: %j', async (promise, change, sentence) => {
    const { code, out, err } = await verify(change);
    expect([code, err]).toEqual([1, `Failed checks: “${promise}”\n`]);
    expect(out).toContain(sentence);
  });

  test.each([
    [403, 'passed', 0],
    [200, 'failed', 1],
  ])('checks API Gateway’s own address: %s is %s', async (status, outcome, exit) => {
    const back = { '- GET /back/videos/models': { status } };
    const local = await serveStage(back);
    const outputs: Record<string, string> = { ApiUrl: local.url, BackUrl: `${local.url}/back` };
    const open = async () => aDeployment((name) => outputs[name] ?? '');
    const ran = await genway(['verify', '--stage', 'prod', '--key', 'mk-1'], {}, { play, open });
    expect([ran.code, outcomes(ran.out)['refuses requests that bypass the edge']]).toEqual([exit, outcome]);
  });

  test('writes a report to keep, and one line for programs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'genway-verify-'));
    const file = join(folder, 'prod.md');
    const { code, out, url } = await verify({}, '--report', file, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ baseUrl: url, results: expect.any(Array) });
    const page = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    expect(page).toContain('No check failed.');
    expect(page).toContain('| completes the demo | passed | 0 | file gw_file_1; job vid_1, cost $0.04 |');
  });

  test('leaves no workspace behind if it gets no key', async () => {
    const { code, err, received } = await verify({ 'POST /keys': error(400, 'invalid_request') });
    expect([code, err]).toEqual([
      1,
      'the management key could not create a workspace or a key in it: the status is 400\n',
    ]);
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', url: '/workspaces/ws-1' });
  });

  test('stops after an interruption, and deletes its workspace', async () => {
    const local = await serveStage({});
    const user = new AbortController();
    const environment = { GENWAY_URL: local.url, GENWAY_API_KEY: 'mk-1' };
    const answered: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (local.received.at(-1)?.url === '/openapi.json') user.abort();
      return response;
    };
    const cli = { environment, fetch: answered, interrupted: user.signal };
    expect(await genway(['verify'], cli, { play })).toMatchObject({
      code: 130,
      err: 'Stopped; some checks may not have run\n',
    });
    expect(local.received.slice(-3).map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /openapi.json',
      'DELETE /keys/h1',
      'DELETE /workspaces/ws-1',
    ]);
  });

  test('exits with 3 if nothing answers', async () => {
    const environment = { GENWAY_URL: 'http://127.0.0.1:9/api/v1', GENWAY_API_KEY: 'mk-1' };
    expect(await genway(['verify'], { environment }, { play })).toMatchObject({
      code: 3,
      err: 'Could not reach http://127.0.0.1:9: check the URL and your network\n',
    });
  });

  test('explains that a key without management rights is not enough, and tries nothing', async () => {
    const { code, err, out } = await verify({ 'POST /workspaces': error(403, 'permission_denied') });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('could not create a workspace or a key in it: the status is 403');
  });
});

test('a report counts broken promises, and escapes text in its table', () => {
  const results = [
    { promise: 'a', outcome: 'passed', milliseconds: 1, text: 'x | y\nz' },
    { promise: 'b', outcome: 'failed', milliseconds: 2, text: 'no' },
  ] as const;
  expect(
    report({ baseUrl: 'https://api.example/api/v1', at: new Date(0), results }),
  ).toBe(`# https://api.example/api/v1

Checked at 1970-01-01T00:00:00.000Z. 1 of 2 checks failed.

| Check | Result | Time (ms) | Details |
|---|---|---|---|
| a | passed | 1 | x \\| y z |
| b | failed | 2 | no |
`);
});
