import { describe, expect, test } from '@jest/globals';
import { errorBody } from '../http/error-bodies.ts';
import { call, form, stage } from './stage.ts';

describe('a request without a route', () => {
  test('gets 404 in the error body for an unknown path', async () => {
    for (const path of ['/nothing', '/files/x/y/z']) {
      const { status, body } = await call('GET', path);
      expect(status).toBe(404);
      expect(body).toEqual(
        errorBody(404, 'not_found', expect.stringMatching(/^Unknown path\. API paths start with \/api\/v1/)),
      );
    }
  });

  test('gets 405 with the allowed methods for a known path', async () => {
    const { status, body, headers } = await call('DELETE', '/videos', { key: stage.apiKey });
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
    const message = 'This path does not support DELETE; supported: POST, GET, HEAD, OPTIONS';
    expect(body).toEqual(errorBody(405, 'invalid_request', message));
  });

  test('gets a response to a preflight', async () => {
    const { status, headers } = await call('OPTIONS', '/keys', {
      headers: { origin: 'https://app.example' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('POST, GET, HEAD, OPTIONS');
    expect(headers.get('access-control-allow-headers')).toBe('authorization, *');
  });

  test('may send every header that a browser asks for', async () => {
    const asked = 'x-stainless-lang,x-request-id,idempotency-key';
    const preflight = async (names: string) => {
      const { headers } = await call('OPTIONS', '/videos', {
        headers: { origin: 'https://app.example', 'access-control-request-headers': names },
      });
      return headers.get('access-control-allow-headers');
    };
    expect(await preflight(asked)).toBe(`authorization, ${asked}`);
    expect(await preflight('x: y')).toBe('authorization, *');
  });

  test.each([
    ['/file', '. Did you mean /api/v1/files?'],
    ['/video/models', '. Did you mean /api/v1/videos/models?'],
    ['/v1/keys', '. Did you mean /api/v1/keys?'],
    ['/nothing', ''],
  ])('gets a suggestion for %s', async (path, hint) => {
    const { body } = await call('GET', path, { key: stage.apiKey });
    expect(body.error.message).toBe(`Unknown path. API paths start with /api/v1${hint}`);
    expect(body.error.metadata.docs_url).toBe('/api/v1/docs#error-not_found');
  });

  test.each([
    [
      '/workspaces/default/members',
      'Genway has keys instead of users, so it has no members. Create a key for each person',
    ],
    [
      '/guardrails/assignments/members',
      'Genway has keys instead of users, so it has no members. Create a key for each person',
    ],
    ['/generation/feedback', 'Genway does not accept feedback on generations'],
  ])('learns why there is no %s', async (path, why) => {
    const { status, body } = await call('GET', path, { key: stage.apiKey });
    expect([status, body.error.message]).toEqual([404, `Unknown path. ${why}`]);
  });

  test('is told which header must contain the credential', async () => {
    const { status, body, headers } = await call('GET', '/files');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body.error.message).toMatch(/^Missing Authentication header; send Authorization: Bearer/);
  });
});

describe('HEAD', () => {
  test('gets the response of GET without a body', async () => {
    const got = await call('GET', '/videos/models');
    const head = await call('HEAD', '/videos/models');
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['content-type', 'cache-control']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
  });

  test('needs the same key as GET, and is refused when GET is refused', async () => {
    expect((await call('HEAD', '/files')).status).toBe(401);
    expect((await call('HEAD', '/files', { key: stage.apiKey })).status).toBe(200);
    expect((await call('HEAD', '/webhooks', { key: stage.apiKey })).status).toBe(404);
    expect((await call('HEAD', '/videos/x/cancel', { key: stage.apiKey })).status).toBe(405);
  });
});

describe('every answer', () => {
  test('carries our security headers and a request id', async () => {
    const { headers } = await call('GET', '/nothing');
    expect(headers.get('x-request-id')).toMatch(/^[!-~]{1,128}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toContain('max-age');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('echoes the caller’s request id if it is safe', async () => {
    const mine = await call('GET', '/nothing', { headers: { 'x-request-id': 'abc-123' } });
    expect(mine.headers.get('x-request-id')).toBe('abc-123');
    const unsafe = await call('GET', '/nothing', { headers: { 'x-request-id': 'a b' } });
    expect(unsafe.headers.get('x-request-id')).not.toBe('a b');
  });
});

describe('a JSON body', () => {
  const json = { 'content-type': 'application/json' };
  test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, RegExp, object?]>([
    ['is broken', '{"name":', json, /one JSON object/],
    ['is empty', '', json, /empty/],
    ['is an array', '[]', json, /one JSON object/],
    [
      'is not declared as JSON',
      '{}',
      { 'content-type': 'text/plain' },
      /content-type: application\/json/,
      { path: 'content-type' },
    ],
    ['is not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), json, /UTF-8/],
    ['nests too deep', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`, json, /32 levels/],
    ['is too large', `{"name":"${'x'.repeat(1024 * 1024)}"}`, json, /1048576 bytes/],
    ['lacks a field', '{"slug":"a"}', json, /^name: is required$/, { path: 'name' }],
    [
      'is compressed',
      '{}',
      { ...json, 'content-encoding': 'gzip' },
      /^content-encoding: is not supported; send the body uncompressed/,
      { path: 'content-encoding' },
    ],
    [
      'has a misspelt value',
      '{"name":"a","slug":"a","default_provider_sort":"prize"}',
      json,
      /; did you mean price\?$/,
      { path: 'default_provider_sort', supported: ['price', 'throughput', 'latency', 'exacto'] },
    ],
  ])(
    'that %s is refused, and the error says what is expected',
    async (_, body, headers, message, metadata = {}) => {
      const answer = await call('POST', '/workspaces', { key: stage.managementKey, body, headers });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(
        errorBody(400, 'invalid_request', expect.stringMatching(message), metadata),
      );
    },
  );
});

const lenient = { 'x-genway-strict': 'false' };

test('an unknown field is accepted where the stage is not strict, and reported', async () => {
  const { status, headers } = await call('POST', '/workspaces', {
    key: stage.managementKey,
    headers: lenient,
    json: { name: 'Warned', slug: `t-${crypto.randomUUID()}`, descripton: 'x', default_provider_sort: null },
  });
  expect(status).toBe(201);
  const told = 'descripton is not a field of this operation; did you mean description?';
  expect(headers.get('x-genway-warning')).toBe(told);
  expect(headers.get('access-control-expose-headers')).toContain('x-genway-warning');
});

test.each([
  ['/files?limt=1', 'limt is not a query parameter of this operation; did you mean limit?'],
  [
    '/videos?limit=1&statsu=failed',
    'statsu is not a query parameter of this operation; did you mean status?',
  ],
  ['/videos/models?page=2', 'page is not a query parameter of this operation'],
  ['/videos?limit=1', null],
])('query parameters of %s without effect are reported', async (path, told) => {
  const { status, headers } = await call('GET', path, { key: stage.apiKey, headers: lenient });
  expect([status, headers.get('x-genway-warning')]).toEqual([200, told]);
});

test('an unused part of a form is reported', async () => {
  const body = form('A note');
  body.append('expires_in_second', '60');
  const { status, headers } = await call('POST', '/files', { key: stage.apiKey, body, headers: lenient });
  expect(status).toBe(200);
  const told = 'expires_in_second is not a field of this operation; did you mean expires_in_seconds?';
  expect(headers.get('x-genway-warning')).toBe(told);
});

describe('a strict stage', () => {
  const workspace = {
    key: stage.managementKey,
    json: { name: 'Strict', slug: 'never-made', descripton: 'x' },
  };
  const body = () => {
    const parts = form('A note');
    parts.append('expires_in_second', '60');
    return parts;
  };

  test.each([
    ['POST', '/workspaces', workspace, 'descripton', 'field', 'description'],
    [
      'POST',
      '/files',
      { key: stage.apiKey, body: body() },
      'expires_in_second',
      'field',
      'expires_in_seconds',
    ],
    [
      'POST',
      '/files?workspace=x',
      { key: stage.apiKey, body: form('A') },
      'workspace',
      'query parameter',
      'workspace_id',
    ],
    ['GET', '/files?limt=1', { key: stage.apiKey }, 'limt', 'query parameter', 'limit'],
    ['DELETE', '/videos/vid_x?forse=1', { key: stage.apiKey }, 'forse', 'query parameter', null],
  ])('refuses %s %s, and names what it does not know', async (method, path, request, name, what, meant) => {
    const answer = await call(method, path, request);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    const message = `${name} is not a ${what} of this operation${hint}`;
    expect([answer.status, answer.body]).toEqual([
      400,
      errorBody(400, 'invalid_request', message, { path: name }),
    ]);
  });

  test('asks for the key first', async () => {
    expect((await call('GET', '/files?limt=1', { key: 'sk-gw-v1-unknown' })).status).toBe(401);
  });

  test.each([
    ['OpenAI’s clients', { 'user-agent': 'OpenAI/JS 7.55.0' }],
    ['Anthropic’s clients', { 'anthropic-version': '2023-06-01' }],
  ])('lets %s send what their own service knows, unless they ask for strictness', async (_, headers) => {
    const ask = (more: Record<string, string>) =>
      call('GET', '/files?beta=true', { key: stage.apiKey, headers: { ...headers, ...more } });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ 'x-genway-strict': 'true' })).status).toBe(400);
  });
});
