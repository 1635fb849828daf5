import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import {
  type ObjectRequest,
  ObjectRequests,
  type RequestOptions,
} from '../../../functions/aws/object-upload/object-requests.ts';
import { S3Server } from './s3-server.ts';

const REMOVAL: ObjectRequest = { method: 'DELETE', bucket: 'bucket', key: 'key' };
const { signal } = new AbortController();

let server: S3Server;
let endpoint: string;
beforeEach(async () => {
  server = new S3Server();
  endpoint = await server.listen();
});
afterEach(() => {
  jest.useRealTimers();
  server.close();
});

function requests(options: Partial<RequestOptions>): ObjectRequests {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  return new ObjectRequests({ endpoint, region: 'us-east-1', credentials }, options);
}

test.each([
  ['doubles', [1, 1], [200, 400]],
  ['is a random part of that', [0.5, 0.25], [100, 100]],
])('the wait between attempts %s', async (_, draws, waits) => {
  server.fault = () => ({ kind: 'refuse', status: 503, code: 'SlowDown' });
  const random = jest.fn<() => number>();
  for (const draw of draws) random.mockReturnValueOnce(draw);
  const pause = jest.fn(async () => undefined);
  await expect(requests({ random, pause }).send(REMOVAL, signal)).rejects.toMatchObject({ name: 'SlowDown' });
  expect(pause.mock.calls).toEqual(waits.map((milliseconds) => [milliseconds, signal]));
});

test('the wait between attempts ends with the upload', async () => {
  const upload = new AbortController();
  server.fault = () => ({ kind: 'refuse', status: 503, code: 'SlowDown' });
  const random = () => {
    setImmediate(() => upload.abort());
    return 1_000_000;
  };
  await expect(requests({ random }).send(REMOVAL, upload.signal)).rejects.toThrow('aborted');
  expect(server.calls).toHaveLength(1);
});

/** Connections need real turns of the event loop, although the test controls the timers. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('each of three attempts may take two minutes', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'] });
  server.fault = () => ({ kind: 'stall' });
  let begun = 1;
  const sent = requests({ pause: async () => begun++ }).send(REMOVAL, signal);
  const failure = sent.catch((error: unknown) => error);
  for (let attempt = 1; attempt <= 3; attempt++) {
    while (server.calls.length < attempt) await turn();
    await jest.advanceTimersByTimeAsync(119_999);
    for (let quiet = 0; quiet < 20; quiet++) await turn();
    expect([begun, server.calls.length]).toEqual([attempt, attempt]);
    jest.advanceTimersByTime(1);
  }
  expect(await failure).toMatchObject({ name: 'TimeoutError', message: 'S3 did not finish in time' });
});
