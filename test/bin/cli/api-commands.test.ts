import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { HOSTILE, OBEYED } from '../../local/terminal/hostile-text.ts';
import { type LocalServer, type Received, serve } from '../../local-server.ts';
import { genway } from './genway.ts';

const servers: LocalServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

const folder = mkdtempSync(join(tmpdir(), 'genway-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs commands against a server that gives these answers in order and then repeats the last one. */
async function against(...answers: { status: number; body?: unknown }[]) {
  let turn = 0;
  const server = await serve(() => answers[Math.min(turn++, answers.length - 1)]!);
  servers.push(server);
  const environment = { GENWAY_URL: `${server.url}/api/v1`, GENWAY_API_KEY: 'mk-private' };
  const run = (...args: string[]) => genway(args, { environment });
  return { run, environment, received: server.received };
}

const seen = (received: readonly Received[]) => received.map(({ method, url }) => `${method} ${url}`);
const job = (status: string, more = {}) => ({
  id: 'vid_1',
  status,
  model: 'm',
  created_at: '2030-01-01T09:43:02.114Z',
  ...more,
});
const completed = job('completed', { usage: { cost: 0.04 } });
const refusal = (status: number, message: string) => ({ status, body: { error: { message } } });

describe('video', () => {
  const prompt = ['video', 'A fox', '--duration', '4', '--size', '640x360', '--audio'];

  test('submits, waits, saves the complete video, and opens it', async () => {
    const { run, received } = await against(
      { status: 202, body: job('pending') },
      { status: 200, body: job('in_progress', { progress: 40 }) },
      { status: 200, body: completed },
      { status: 200, body: 'the video' },
    );
    const path = join(folder, 'fox.mp4');
    const { code, out, opened } = await run(...prompt, '--out', path, '--open');
    expect([code, opened]).toEqual([0, [path]]);
    expect(out).toBe(`vid_1  completed    2030-01-01 09:43:02  m  $0.04\n${path}\n`);
    expect(readFileSync(path, 'utf8')).toBe('"the video"');
    expect(seen(received)).toEqual([
      'POST /api/v1/videos',
      'GET /api/v1/videos/vid_1',
      'GET /api/v1/videos/vid_1',
      'GET /api/v1/videos/vid_1/content',
    ]);
    expect(JSON.parse(received[0]!.body)).toEqual({
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      duration: 4,
      size: '640x360',
      generate_audio: true,
    });
    expect(received[1]!.headers).toMatchObject({ prefer: 'wait=20', authorization: 'Bearer mk-private' });
  });

  test('polls again after a pause if a response showed no change', async () => {
    const { environment, received } = await against(
      { status: 202, body: job('pending') },
      { status: 200, body: job('pending') },
      { status: 200, body: job('in_progress') },
      { status: 200, body: job('in_progress') },
      { status: 200, body: job('failed') },
    );
    const pauses: [asked: number, milliseconds: number][] = [];
    const pause = async (milliseconds: number) => void pauses.push([received.length, milliseconds]);
    await genway(prompt, { environment, pause });
    expect(pauses).toEqual([
      [2, 2_000],
      [4, 2_000],
    ]);
  });

  test('retries a submit with the same idempotency key while the API is busy', async () => {
    const { run, received } = await against(refusal(503, 'Busy'), { status: 202, body: job('pending') });
    expect((await run(...prompt, '--no-wait')).code).toBe(0);
    const keys = received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test('prints one line of JSON, and nothing else on stdout', async () => {
    const { run } = await against({ status: 202, body: job('pending', { metadata: { a: 'b' } }) });
    const { out } = await run(...prompt, '--no-wait', '--json');
    expect(out).toBe(`${JSON.stringify(job('pending', { metadata: { a: 'b' } }))}\n`);
  });

  test('exits with 4 if the job has no video', async () => {
    const { run } = await against({
      status: 202,
      body: job('failed', { error: 'Refused by the moderation' }),
    });
    const { code, err } = await run(...prompt);
    expect(code).toBe(4);
    expect(err).toContain('vid_1 failed: Refused by the moderation\n');
  });

  test.each([
    ['be polled', job('pending')],
    ['be downloaded', completed],
  ])('names the job if it cannot %s, because another try would create a second one', async (_, submitted) => {
    const { run } = await against({ status: 202, body: submitted }, refusal(503, 'Busy'));
    const { code, err } = await run(...prompt, '--out', join(folder, 'none.mp4'));
    expect(code).toBe(1);
    expect(err).toMatch(/503: Busy\. To show the job, run npx genway jobs vid_1\n/);
  });

  test('leaves no partial file of a video that cannot be saved', async () => {
    const { run } = await against({ status: 202, body: completed }, refusal(410, 'Gone'));
    const path = join(mkdtempSync(join(folder, 'empty-')), 'fox.mp4');
    expect(await run(...prompt, '--out', path)).toMatchObject({
      code: 1,
      err: expect.stringContaining('410: Gone'),
    });
    expect([existsSync(path), readdirSync(join(path, '..'))]).toEqual([false, []]);
  });
});

test('upload sends each file, and names a missing one', async () => {
  const file = { id: 'gw_file_1', mime_type: 'text/plain', size_bytes: 5 };
  const { run, received } = await against({ status: 200, body: file });
  const path = join(folder, 'a.txt');
  writeFileSync(path, 'Hello');
  expect(await run('upload', path, path)).toMatchObject({
    code: 0,
    out: `gw_file_1  text/plain  5  ${path}\n`.repeat(2),
  });
  expect(received[0]!.body).toMatch(/name="file"; filename="a.txt"[\s\S]*Hello/);
  expect(await run('upload', path, join(folder, 'none'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('Could not read'),
  });
  expect(received).toHaveLength(2);
});

test('jobs are listed, or one is shown', async () => {
  const { run, received } = await against(
    { status: 200, body: { data: [completed] } },
    { status: 200, body: completed },
  );
  const line = 'vid_1  completed    2030-01-01 09:43:02  m  $0.04\n';
  expect((await run('jobs', '--status', 'completed', '--limit', '5')).out).toBe(line);
  expect((await run('jobs', 'vid_1')).out).toBe(line);
  expect(seen(received)).toEqual(['GET /api/v1/videos?limit=5&status=completed', 'GET /api/v1/videos/vid_1']);
});

const aKey = (more = {}) => ({
  hash: 'h',
  label: 'sk-…',
  name: 'CI',
  disabled: false,
  expires_at: null,
  usage: 1,
  limit: 5,
  ...more,
});

test('keys are listed from every page, also after one that hides some keys from a limited caller', async () => {
  const pages = [Array.from({ length: 99 }, () => aKey()), [aKey({ hash: 'last' })], []];
  const { run, received } = await against(...pages.map((data) => ({ status: 200, body: { data } })));
  const { out } = await run('keys', 'list', '--json');
  expect(JSON.parse(out).data).toEqual(pages.flat());
  expect(seen(received)).toEqual(
    [0, 100, 200].map((offset) => `GET /api/v1/keys?include_disabled=false&offset=${offset}`),
  );
});

test.each([
  ['live    ', { expires_at: '1970-01-01T00:00:00.001Z' }],
  ['expired ', { expires_at: '1970-01-01T00:00:00.000Z' }],
  ['disabled', { expires_at: '1970-01-01T00:00:00.000Z', disabled: true }],
])('a key is listed as %s: %j', async (state, more) => {
  const body = { data: [aKey(more)] };
  const { run } = await against({ status: 200, body }, { status: 200, body: { data: [] } });
  expect((await run('keys', 'list')).out).toBe(`sk-…  ${state}  $1 of $5  CI  h\n`);
});

test('keys are listed, created and disabled', async () => {
  const data = aKey();
  const { run, received } = await against(
    { status: 200, body: { data: [data] } },
    { status: 200, body: { data: [] } },
    { status: 201, body: { data, key: 'sk-gw-v1-new' } },
    { status: 200, body: { data: { ...data, disabled: true } } },
  );
  expect((await run('keys', 'list', '--all', '--workspace', 'studio')).out).toBe(
    'sk-…  live      $1 of $5  CI  h\n',
  );
  expect(
    (
      await run(
        'keys',
        'create',
        'CI',
        '--limit',
        '5',
        '--workspace',
        'studio',
        '--operations',
        'read',
        'content',
      )
    ).out,
  ).toBe('sk-gw-v1-new\n');
  expect((await run('keys', 'disable', 'h')).out).toBe('sk-…  disabled  $1 of $5  CI  h\n');
  expect(seen(received)).toEqual([
    'GET /api/v1/keys?include_disabled=true&offset=0&workspace_id=studio',
    'GET /api/v1/keys?include_disabled=true&offset=100&workspace_id=studio',
    'POST /api/v1/keys',
    'PATCH /api/v1/keys/h',
  ]);
  expect(received.slice(2).map(({ body }) => JSON.parse(body))).toEqual([
    { name: 'CI', workspace_id: 'studio', limit: 5, scope: { operations: ['read', 'content'] } },
    { disabled: true },
  ]);
});

describe('approvals', () => {
  const request = { name: 'Colleague' };
  const approval = (id: string, status: string) => ({
    id,
    action: 'create-key',
    target: 'h',
    request,
    status,
    asked_by: 'a',
    ends_at: '2030-01-02T00:00:00.000Z',
  });
  const lines = (id: string, status: string) => {
    const end = status === 'pending ' ? '  request expires 2030-01-02T00:00:00.000Z' : '';
    return `${id}  ${status}  create-key  h  requested by a${end}\n  {"name":"Colleague"}\n`;
  };

  test('are listed with all of what waits, from every page', async () => {
    const { run, received } = await against(
      { status: 200, body: { data: [approval('apr_3', 'pending')], cursor: 'apr_3' } },
      {
        status: 200,
        body: { data: [approval('apr_2', 'approved'), approval('apr_1', 'pending')], cursor: null },
      },
    );
    expect((await run('approvals', 'list')).out).toBe(
      lines('apr_3', 'pending ') + lines('apr_1', 'pending '),
    );
    expect(seen(received)).toEqual([
      'GET /api/v1/approvals?limit=20',
      'GET /api/v1/approvals?limit=20&cursor=apr_3',
    ]);
    expect((await run('approvals', 'list', '--all')).out).toContain(lines('apr_2', 'approved'));
  });

  test.each([
    ['approve', 'approved'],
    ['refuse', 'refused '],
  ])('%s', async (decision, status) => {
    const { run, received } = await against({
      status: 200,
      body: { data: approval('apr_1', status.trim()) },
    });
    expect((await run('approvals', decision, 'apr_1')).out).toBe(lines('apr_1', status));
    expect(seen(received)).toEqual([`POST /api/v1/approvals/apr_1/${decision}`]);
  });
});

test('a management key that waits for its approval is printed with what it waits for', async () => {
  const { run } = await against({
    status: 202,
    body: { data: { id: 'apr_1', status: 'pending' }, key: 'mk-new' },
  });
  const { out, err } = await run('keys', 'create', 'Colleague', '--management');
  expect([out, err]).toEqual(['mk-new\n', expect.stringContaining('run npx genway approvals approve apr_1')]);
});

test('budgets are shown, set and deleted', async () => {
  const data = { reset_interval: null, limit_usd: 5, used_usd: 1, remaining_usd: 4 };
  const { run, received } = await against(
    { status: 200, body: { data: [data] } },
    { status: 200, body: { data: { ...data, reset_interval: 'daily' } } },
    { status: 200, body: { deleted: true } },
  );
  expect((await run('budget', 'show')).out).toBe('lifetime  $5  used $1  remaining $4\n');
  expect((await run('budget', 'set', 'daily', '5', '--workspace', 'a/b')).out).toBe(
    'daily     $5  used $1  remaining $4\n',
  );
  expect((await run('budget', 'delete', 'daily')).out).toBe(
    'The workspace default now has no daily budget\n',
  );
  expect(seen(received)).toEqual([
    'GET /api/v1/workspaces/default/budgets',
    'PUT /api/v1/workspaces/a%2Fb/budgets/daily',
    'DELETE /api/v1/workspaces/default/budgets/daily',
  ]);
});

test('trigger sends a test event', async () => {
  const { run, received } = await against({ status: 202, body: { data: { id: 'msg_1' } } });
  expect((await run('trigger', '--workspace', 'studio')).out).toBe('msg_1\n');
  expect(seen(received)).toEqual(['POST /api/v1/workspaces/studio/webhook/test']);
});

describe('the exit code', () => {
  test.each([
    [refusal(401, 'Invalid API key'), 1],
    [refusal(402, 'No money'), 1],
    [{ status: 200, body: { strange: true } }, 1],
    [refusal(429, 'Slow down'), 3],
    [refusal(503, 'Busy'), 3],
  ])('for %j is %i', async (answer, code) => {
    const { run } = await against(answer);
    expect((await run('jobs')).code).toBe(code);
  });

  test('is 3 if nobody answers', async () => {
    const { run } = await against({ status: 200 });
    await servers.pop()?.close();
    expect(await run('jobs')).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^Could not reach http:\S+ \(ECONNREFUSED\): check the URL and your network\n$/,
      ),
    });
  });
});

test('control characters from the API are shown escaped', async () => {
  const data = [job(HOSTILE, { error: HOSTILE })];
  const { run } = await against({ status: 200, body: { data } });
  for (const args of [['jobs'], ['jobs', '--json']]) {
    const { out } = await run(...args);
    for (const line of out.split('\n')) expect(line).not.toMatch(OBEYED);
  }
  const refused = await against(refusal(400, HOSTILE));
  for (const line of (await refused.run('jobs')).err.split('\n')) expect(line).not.toMatch(OBEYED);
});
