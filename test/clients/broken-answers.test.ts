import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError, Genway, GenwayError } from '../../clients/typescript/src/index.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { type LocalServer, openServer } from '../local-server.ts';

// New processes start slowly while many tests run.
const ROOT = join(import.meta.dirname, '../..');
const JOB = JSON.stringify({ id: 'vid_1', status: 'completed' });

let server: LocalServer;
afterEach(() => server.close());

interface Given {
  readonly status?: number;
  readonly body: string;
  /** Whether the connection ends before the last byte. */
  readonly breaks?: boolean;
}

/** A deployment that gives these answers in turn, the last of them again and again. */
async function against(...given: readonly Given[]): Promise<string> {
  let next = 0;
  server = await openServer((_, response) => {
    const { status = 200, body, breaks = false } = given[Math.min(next++, given.length - 1)]!;
    response.writeHead(status, { 'content-length': body.length + Number(breaks), 'retry-after': '0' });
    response.write(body, () => (breaks ? response.destroy() : response.end()));
  });
  return `${server.url}/api/v1`;
}

type Action = 'create' | 'upload' | 'cancel' | 'traverse';

async function inTypescript(baseUrl: string, action: Action): Promise<string> {
  const genway = new Genway({ baseUrl, apiKey: 'k' });
  const actions = {
    create: () => genway.videos.create({ model: 'm', prompt: 'p' }),
    upload: () => genway.upload(new Blob(['text'])),
    cancel: () => genway.videos.cancel('vid_1'),
    traverse: () => genway.videos.get('vid_1/../../keys?a'),
  };
  return actions[action]().then(
    () => 'done',
    (error: unknown) => {
      const { name } = error instanceof GenwayError ? error : { name: `not ours: ${error}` };
      return error instanceof ApiError ? `${name} ${error.status} ${error.errorType}` : name;
    },
  );
}

const PROGRAM = `
import sys
from genway import ApiError, Genway, GenwayError
genway = Genway(sys.argv[1], "k")
actions = {
    "create": lambda: genway.videos.create(model="m", prompt="p"),
    "upload": lambda: genway.upload(b"text"),
    "cancel": lambda: genway.videos.cancel("vid_1"),
    "traverse": lambda: genway.videos.get("vid_1/../../keys?a"),
    "download": lambda: genway.download("vid_1", sys.argv[3]),
}
try:
    actions[sys.argv[2]]()
    print("done", end="")
except ApiError as error:
    print(type(error).__name__, error.status, error.error_type, end="")
except GenwayError as error:
    print(type(error).__name__.replace("FailedError", "Error"), end="")
except Exception as error:
    print("not ours:", repr(error), end="")
`;

async function inPython(baseUrl: string, action: Action | 'download', ...more: string[]): Promise<string> {
  const env = { ...process.env, PYTHONPATH: join(ROOT, 'clients/python') };
  const args = ['-B', '-c', PROGRAM, baseUrl, action, ...more];
  return (await runCommand('python3', args, { env })).output;
}

describe.each([
  ['TypeScript', inTypescript],
  ['Python', inPython],
] as const)('the client in %s', (_, act) => {
  test.each<[string, Given]>([
    ['breaks off', { body: JOB, breaks: true }],
    ['is a page of something in between', { body: '<html>Sign in</html>' }],
    ['is a failure that breaks off', { status: 500, body: '{"error":', breaks: true }],
  ])('repeats a submit whose answer %s, with the same key', async (_name, given) => {
    expect(await act(await against(given, { body: JOB }), 'create')).toBe('done');
    const keys = server.received.map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test.each<Action>(['upload', 'cancel'])('does not repeat a %s whose answer breaks off', async (action) => {
    expect(await act(await against({ body: JOB, breaks: true }), action)).toBe('ConnectionError');
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['null', 'unknown'],
    ['[]', 'unknown'],
    ['{"error":null}', 'unknown'],
    ['{"error":"no"}', 'unknown'],
    ['{"error":{"message":"no","metadata":null}}', 'unknown'],
    ['{"error":{"message":"no","metadata":["a"]}}', 'unknown'],
    ['{"error":{"message":null,"metadata":{"error_type":"e"}}}', 'e'],
    ['<html>', 'unknown'],
  ])('tells the status of a refusal whose body is %s', async (body, type) => {
    const refused = await act(await against({ status: 400, body }), 'create');
    expect(refused).toBe(`InvalidRequestError 400 ${type}`);
  });

  test('asks for no other path than that of the job, whatever its id is', async () => {
    expect(await act(await against({ body: JOB }), 'traverse')).toBe('done');
    expect(server.received.map(({ url }) => url)).toEqual(['/api/v1/videos/vid_1%2F..%2F..%2Fkeys%3Fa']);
  });
});

test('the Python client keeps no part of a download that breaks off', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genway-download-'));
  const path = join(folder, 'a.mp4');
  const baseUrl = await against({ body: 'half of a video', breaks: true });
  expect(await inPython(baseUrl, 'download', path)).toBe('ConnectionError');
  expect(existsSync(path)).toBe(false);
  rmSync(folder, { recursive: true });
});

test('the TypeScript client takes the answers of any fetch', async () => {
  const baseUrl = await against({ body: JOB });
  // As the packages with a fetch of their own give it, of which none is the platform's `Response`.
  const ask: typeof fetch = async (...given) => {
    const answer = await fetch(...given);
    return new Proxy(Object.create(null), {
      get: (_, name) => {
        const value: unknown = Reflect.get(answer, name);
        return typeof value === 'function' ? value.bind(answer) : value;
      },
    });
  };
  const genway = new Genway({ baseUrl, apiKey: 'k', fetch: ask });
  expect(await genway.wait('vid_1')).toEqual(JSON.parse(JOB));
});
