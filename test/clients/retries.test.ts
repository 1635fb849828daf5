import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { clientTypes } from '../../bin/pack/client-package.ts';
import { Genway } from '../../clients/typescript/src/index.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { type LocalServer, serve } from '../local-server.ts';

// New processes start slowly while many tests run.
const ROOT = join(import.meta.dirname, '../..');
const ERROR = {
  error: { code: 400, message: 'no', metadata: { error_type: 'e', path: 'size', supported: [1] } },
};
const SOON = { 'retry-after': '0' };
const JOB = { id: 'vid_1', status: 'completed' };

let server: LocalServer;
afterEach(() => server.close());

/** A deployment that gives these answers in turn. */
async function against(...statuses: readonly number[]) {
  let next = 0;
  server = await serve(() => {
    const status = statuses[Math.min(next++, statuses.length - 1)]!;
    return status < 400 ? { status, body: JOB } : { status, body: ERROR, headers: SOON };
  });
  return `${server.url}/api/v1`;
}

interface Outcome {
  readonly name: string;
  readonly status?: number;
  readonly path?: string | null;
}
type Action = 'create' | 'upload' | 'wait';

async function inTypescript(baseUrl: string, action: Action): Promise<Outcome> {
  const genway = new Genway({ baseUrl, apiKey: 'k' });
  const actions = {
    create: () => genway.videos.create({ model: 'm', prompt: 'p' }),
    upload: () => genway.upload(new Blob(['text']), 'a "b".txt'),
    wait: () => genway.wait('vid_1'),
  };
  return actions[action]().then(
    () => ({ name: 'done' }),
    ({ name, status, path }) => ({ name, ...(status === undefined ? {} : { status, path }) }),
  );
}

const PROGRAM = `
import json, sys
from genway import ApiError, Genway, GenwayError
genway = Genway(sys.argv[1], "k")
actions = {
    "create": lambda: genway.videos.create(model="m", prompt="p"),
    "upload": lambda: genway.upload(b"text", 'a "b".txt'),
    "wait": lambda: genway.wait("vid_1"),
}
try:
    actions[sys.argv[2]]()
    print(json.dumps({"name": "done"}))
except ApiError as error:
    print(json.dumps({"name": type(error).__name__, "status": error.status, "path": error.path}))
except GenwayError as error:
    print(json.dumps({"name": type(error).__name__}))
`;

async function inPython(baseUrl: string, action: Action): Promise<Outcome> {
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python') };
  const { code, output } = await runCommand('python3', ['-B', '-c', PROGRAM, baseUrl, action], { env });
  expect({ code, output }).toEqual({ code: 0, output });
  return JSON.parse(output);
}

describe.each([
  ['TypeScript', inTypescript],
  ['Python', inPython],
] as const)('the client in %s', (_, act) => {
  test.each<[readonly number[], Action, number]>([
    [[200], 'create', 1],
    [[503, 200], 'create', 2],
    [[500, 429, 200], 'create', 3],
    [[503, 200], 'upload', 2],
    [[429, 200], 'upload', 2],
    [[502, 200], 'wait', 2],
  ])('after %j a %s is done, in %i requests', async (statuses, action, requests) => {
    expect(await act(await against(...statuses), action)).toEqual({ name: 'done' });
    expect(server.received).toHaveLength(requests);
    const keys = new Set(server.received.map(({ headers }) => headers['idempotency-key']));
    expect([keys.size, keys.has(undefined)]).toEqual([1, action !== 'create']);
    for (const { headers } of server.received) expect(headers.authorization).toBe('Bearer k');
  });

  test.each<[readonly number[], Action, string, number]>([
    [[400], 'create', 'InvalidRequestError', 1],
    [[401], 'create', 'AuthenticationError', 1],
    [[402], 'create', 'PaymentRequiredError', 1],
    [[403], 'create', 'PermissionDeniedError', 1],
    [[404], 'wait', 'NotFoundError', 1],
    [[409], 'create', 'ConflictError', 1],
    [[410], 'wait', 'NotFoundError', 1],
    [[418], 'create', 'ApiError', 1],
    [[429], 'create', 'RateLimitError', 3],
    [[500], 'create', 'ServerError', 3],
    // It may have been stored.
    [[500], 'upload', 'ServerError', 1],
    [[504], 'upload', 'ServerError', 1],
  ])('with %j a %s fails as %s, after %i requests', async (statuses, action, name, requests) => {
    const error = await act(await against(...statuses), action);
    expect([error, server.received.length]).toEqual([{ name, status: statuses[0], path: 'size' }, requests]);
  });

  test('sends a form in which the name of the file is one field', async () => {
    await act(await against(200), 'upload');
    const [{ body, headers } = { body: '', headers: {} }] = server.received;
    expect(body).toContain('name="file"; filename="a %22b%22.txt"');
    expect(Number(headers['content-length'])).toBe(body.length);
  });
});

test('a connection that fails is an error of its own', async () => {
  await against(200);
  const nobody = 'http://127.0.0.1:1/api/v1';
  expect(await inTypescript(nobody, 'upload')).toEqual({ name: 'ConnectionError' });
  expect(await inPython(nobody, 'upload')).toEqual({ name: 'ConnectionFailedError' });
});

test('the types of the TypeScript client are those of the description', async () => {
  await against(200);
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  expect(read('clients/typescript/src/types.ts')).toBe(clientTypes(read('docs/clients/genway.d.ts')));
});

test('the Python client leaves its key behind when a download leads to another host', async () => {
  const storage = await serve(() => ({ status: 200, body: 'mp4' }));
  server = await serve(() => ({ status: 302, headers: { location: `${storage.url}/object` } }));
  const program = `import sys; from genway import Genway; Genway(sys.argv[1], "k").download("vid_1", sys.argv[2])`;
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python') };
  const folder = mkdtempSync(join(tmpdir(), 'genway-download-'));
  const args = ['-B', '-c', program, `${server.url}/api/v1`, join(folder, 'a.mp4')];
  expect(await runCommand('python3', args, { env })).toEqual({ code: 0, output: '' });
  expect(readdirSync(folder)).toEqual(['a.mp4']);
  rmSync(folder, { recursive: true });
  expect(storage.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await storage.close();
});
