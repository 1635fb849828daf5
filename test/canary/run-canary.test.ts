import { afterEach, expect, test } from '@jest/globals';
import { CanaryFailed, HourlyTurn, runCanary } from '../../functions/canary/run-canary.ts';
import { type LocalServer, type Received, serve } from '../local-server.ts';

const servers: LocalServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

type Answers = Readonly<
  Record<string, { readonly status: number; readonly body?: unknown; readonly text?: string }>
>;

/** A stage that answers every step correctly. @param change answers that differ */
async function run(
  change: Answers,
  { receiver, largeUploads, from = 0 }: { receiver?: string; largeUploads?: HourlyTurn; from?: number } = {
    receiver: 'https://canary.example',
  },
) {
  const at = { now: from };
  const answers: Answers = {
    'POST /files': { status: 200, body: { id: 'gw_file_1' } },
    'GET /files/gw_file_1/content?redirect=false': { status: 200, body: { url: 'LINK' } },
    'GET /link': { status: 200 },
    'DELETE /files/gw_file_1': { status: 200, body: {} },
    'POST /videos': { status: 202, body: { id: 'vid_1', status: 'pending' } },
    'GET /videos/vid_1': { status: 200, body: { id: 'vid_1', status: 'completed' } },
    'GET /videos/vid_1/deliveries': { status: 200, body: { data: [{ status: 'delivered' }] } },
    'DELETE /videos/vid_1': { status: 200, body: {} },
    ...change,
  };
  const answer = ({ method, url = '' }: Received) => {
    const { status, body } = answers[`${method} ${url}`] ?? { status: 404 };
    return { status, ...(body === undefined ? {} : { body }) };
  };
  const local = await serve(answer);
  servers.push(local);
  // The local server answers with JSON, but a signed link leads to what was uploaded.
  const linked: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith('/link')) {
      return new Response((await response.text()).replace('LINK', `${local.url}/link`), {
        status: response.status,
      });
    }
    return new Response(answers['GET /link']?.text ?? uploadedTo(local), { status: response.status });
  };
  await runCanary({
    baseUrl: local.url,
    key: 'sk-test',
    fetch: linked,
    receiver,
    largeUploads,
    deadline: new Date(from + 10_000),
    now: () => new Date(at.now),
    pause: async (milliseconds) => {
      at.now += milliseconds;
    },
  });
  return local.received;
}

/** The content of the last file. */
function uploadedTo({ received }: LocalServer): string {
  const body = received.findLast(({ method, url }) => method === 'POST' && url === '/files')?.body ?? '';
  const [, content = ''] = /filename="canary.txt".*?\r\n\r\n(.*)\r\n--/s.exec(body) ?? [];
  return content;
}

const seen = (received: readonly Received[]) => received.map(({ method, url }) => `${method} ${url}`);
const FILE = [
  'POST /files',
  'GET /files/gw_file_1/content?redirect=false',
  'GET /link',
  'DELETE /files/gw_file_1',
];

test('does what callers do, and leaves nothing behind', async () => {
  const received = await run({});
  expect(seen(received)).toEqual([
    ...FILE,
    'POST /videos',
    'GET /videos/vid_1',
    'GET /videos/vid_1/deliveries',
    'DELETE /videos/vid_1',
  ]);
  expect(JSON.parse(received[4]?.body ?? '')).toMatchObject({
    model: 'sandbox/clip-1',
    callback_url: 'https://canary.example',
  });
  const keyed = received.filter(({ headers }) => headers.authorization === 'Bearer sk-test');
  // The link itself is the permission, so its host gets no key.
  expect(seen(received.filter((request) => !keyed.includes(request)))).toEqual(['GET /link']);
});

test('makes no video if the stage has no model for it', async () => {
  expect(seen(await run({}, {}))).toEqual(FILE);
});

test.each([
  ['POST /files', { status: 503 }, 'upload: returned 503'],
  ['POST /files', { status: 200, body: {} }, /^upload: unexpected response/],
  ['POST /files', { status: 200 }, /^upload: unexpected response/],
  ['GET /files/gw_file_1/content?redirect=false', { status: 404 }, 'link to the file: returned 404'],
  ['GET /link', { status: 200, text: 'another' }, 'download: the content differs from the upload'],
  ['DELETE /files/gw_file_1', { status: 500 }, 'deletion of the file: returned 500'],
  ['POST /videos', { status: 402 }, 'submission: returned 402'],
  [
    'GET /videos/vid_1',
    { status: 200, body: { id: 'vid_1', status: 'failed', error: 'no' } },
    'video: failed, no',
  ],
  [
    'GET /videos/vid_1',
    { status: 200, body: { id: 'vid_1', status: 'in_progress' } },
    'video: not completed in time',
  ],
  ['GET /videos/vid_1/deliveries', { status: 200, body: { data: [] } }, 'webhook: not completed in time'],
  [
    'GET /videos/vid_1/deliveries',
    { status: 200, body: { data: [{ status: 'failed' }] } },
    'webhook: not completed in time',
  ],
  ['DELETE /videos/vid_1', { status: 409 }, 'deletion of the video: returned 409'],
])('names the step that failed: %s %j', async (step, answer, message) => {
  const failure = run({ [step]: answer });
  await expect(failure).rejects.toThrow(CanaryFailed);
  await expect(failure).rejects.toThrow(message);
});

const MINUTES = 60_000;
/** The uploads of a run, in whole MiB. */
const sizes = (received: readonly Received[]) =>
  received.filter(({ url }) => url === '/files').map(({ body }) => Math.floor(body.length / 1024 ** 2));

test('uploads a file for the upload server in its first run, and then once an hour', async () => {
  const largeUploads = new HourlyTurn();
  const runs = [];
  for (const from of [0, 5, 55, 60, 65]) {
    runs.push(sizes(await run({}, { largeUploads, from: from * MINUTES })));
  }
  expect(runs).toEqual([[0, 4], [0], [0], [0, 4], [0]]);
});

test('tries it again in each run until it has passed', async () => {
  const largeUploads = new HourlyTurn();
  const small = { 'GET /link': { status: 200, text: 'What a canary has uploaded and will look for.\n' } };
  for (let failures = 0; failures < 2; failures++) {
    await expect(run(small, { largeUploads })).rejects.toThrow(
      'download: the content differs from the upload',
    );
  }
  expect(sizes(await run({}, { largeUploads, from: 5 * MINUTES }))).toEqual([0, 4]);
});

test('names the address that does not answer, with the cause', async () => {
  const fetch = async () => {
    throw new Error('no such host');
  };
  const now = () => new Date(0);
  const ports = {
    baseUrl: 'https://api.example',
    key: 'k',
    fetch,
    receiver: undefined,
    largeUploads: undefined,
    deadline: now(),
    now,
  };
  const failure = runCanary({ ...ports, pause: async () => undefined });
  await expect(failure).rejects.toThrow('upload: no response');
  await expect(failure).rejects.toHaveProperty('cause.message', 'no such host');
});
