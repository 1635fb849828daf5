import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import { errorBody } from '../http/error-bodies.ts';
import { type JsonDocument, NOT_JSON, NOT_UTF8, OBJECTS, OTHER_VALUES } from '../http/json-documents.ts';
import { refusedField, VIDEO_CORRUPTIONS, WORKSPACE_CORRUPTIONS } from '../http/request-bodies.ts';
import { type Row, rows } from './access-rows.ts';
import { type Answer, call, newWorkspace, stage } from './stage.ts';

/** Requests at a time. More would make the stage too slow for other tests. */
const BATCH = 8;

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  workspace = await newWorkspace();
});

const send = (path: string, body: NonNullable<RequestInit['body']>) =>
  call('POST', path, {
    key: path === '/videos' ? workspace.key : stage.managementKey,
    body,
    // These bodies have fields that nobody knows.
    headers: { 'content-type': 'application/json', 'x-genway-strict': 'false' },
  });

async function sendAll(path: string, documents: readonly JsonDocument[]): Promise<[string, Answer][]> {
  const answers: [string, Answer][] = [];
  for (let i = 0; i < documents.length; i += BATCH) {
    const sent = documents
      .slice(i, i + BATCH)
      .map(async ({ name, bytes }): Promise<[string, Answer]> => [name, await send(path, bytes)]);
    answers.push(...(await Promise.all(sent)));
  }
  return answers;
}

const refusal = (message: unknown, metadata: object = {}) =>
  errorBody(400, 'invalid_request', message, metadata);

describe.each([
  ['/workspaces', 'name'],
  ['/videos', 'model'],
])('POST %s', (path, firstField) => {
  test('refuses everything except one JSON object in UTF-8', async () => {
    const answers = await sendAll(path, [...NOT_JSON, ...NOT_UTF8, ...OTHER_VALUES]);
    for (const [name, { status, body }] of answers) {
      expect({ name, status, body }).toEqual({
        name,
        status: 400,
        body: refusal(
          expect.stringMatching(
            /^The body (must be (one JSON object|UTF-8)|is (empty|not valid JSON); it must be one JSON object)/,
          ),
        ),
      });
    }
  });

  test('accepts any JSON object, and reports missing fields', async () => {
    for (const [name, { status, body }] of await sendAll(path, OBJECTS)) {
      expect({ name, status, body }).toEqual({
        name,
        status: 400,
        body: refusal(`${firstField}: is required`, { path: firstField }),
      });
    }
  });
});

describe('an operation that takes JSON', () => {
  const taking = Object.entries(rows).filter(([, { send }]) => send?.().json !== undefined);
  const broken = ['[]', '{"a":1,"a":2}', '{"a":', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`];

  test.each(taking)('refuses a body that is not a JSON object: %s', async (id, row) => {
    const { method, path } = routes[id as keyof typeof routes];
    const ids: Record<string, string> = { workspace: workspace.id, hash: hashKey(workspace.key) };
    const target = path.replace(/\{(\w+)\}/g, (_, name) => row.others?.[name] ?? ids[name] ?? 'unknown');
    for (const body of mayBeLeftOut(row) ? broken : ['', ...broken]) {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
      const answer = await call(method, target, { key: stage.managementKey, body, headers });
      expect([body, answer.status]).toEqual([body, 400]);
    }
  });
});

/** If no field is required, the body may be missing. */
const mayBeLeftOut = ({ send }: Row) => JSON.stringify(send?.().json) === '{}';

const valid: Record<string, () => object> = {
  '/workspaces': () => ({ name: 'Bodies', slug: `t-${crypto.randomUUID()}` }),
  '/videos': () => ({ model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 }),
};

describe.each([
  ['/workspaces', 201, WORKSPACE_CORRUPTIONS],
  ['/videos', 202, VIDEO_CORRUPTIONS],
])('a body of POST %s', (path, created, corruptions) => {
  const body = () => valid[path]?.() ?? {};
  const spliced = (members: string) => JSON.stringify(body()).replace(/}$/, `,${members}}`);

  test.each([
    ['unknown members', '"unknown":{"a":[1,"b",null]}'],
    ['prototypes', '"__proto__":{"name":1,"model":1},"constructor":{"prototype":{"prompt":1}}'],
    ['numbers that no double holds', '"unknown":[1e999,-1e999,1e-999,123456789012345678901234567890]'],
    ['half a surrogate pair in a field that is not ours', '"unknown":"\\ud800"'],
  ])('is accepted with %s', async (_, members) => {
    expect((await send(path, spliced(members))).status).toBe(created);
  });

  test('is refused with a duplicate member, whichever of the two is right', async () => {
    for (const member of ['"unknown":1,"unknown":2', '"unknown":[{"a":1,"\\u0061":2}]']) {
      const answer = await send(path, spliced(member));
      expect(answer.status).toBe(400);
      expect(answer.body.error.message).toMatch(/^unknown(\.0\.a)?: must not appear twice$/);
    }
  });

  const shallow = corruptions.filter(([field]) => !field.includes('.'));
  test.each(shallow)('is refused with a wrong %s, and the error names it', async (field, [, wrong]) => {
    const { status, body: answer } = await send(path, JSON.stringify({ ...body(), [field]: wrong }));
    expect(status).toBe(400);
    expect(answer).toEqual(refusal(expect.stringMatching(`^${field}: must`), refusedField(field)));
  });
});

test('a video may have the longest prompt, options and links at once', async () => {
  const link = (path: string) => ({ url: `https://example.com/${path}`.padEnd(2048, 'x') });
  const answer = await call('POST', '/videos', {
    key: workspace.key,
    json: {
      model: 'sandbox/clip-1',
      prompt: '😀'.repeat(32_000),
      duration: 1,
      input_references: Array.from({ length: 16 }, (_, i) => ({
        type: 'image_url',
        image_url: link(`${i}/`),
      })),
      provider: { options: { other: { note: '€'.repeat(10_000) } } },
    },
  });
  expect([answer.status, answer.body.error]).toEqual([202, undefined]);
});

test.each([
  [4 * 1024 * 1024, /^provider\.options: must be at most 32768 bytes/],
  [4 * 1024 * 1024 + 1, /^The body must be at most 4194304 bytes/],
])('a video’s body of %d bytes is judged by its content, up to the limit', async (size, message) => {
  const around = (filling: string) =>
    JSON.stringify({ model: 'a', prompt: 'b', provider: { options: { other: { note: filling } } } });
  const answer = await send('/videos', around('x'.repeat(size - around('').length)));
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toMatch(message);
});
