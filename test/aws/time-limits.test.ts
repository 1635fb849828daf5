import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListKeysCommand } from '@aws-sdk/client-kms';
import { HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';

let answer: RequestListener;
let server: Server;
let requests = 0;
let clients: Awaited<ReturnType<typeof deployedClients>>;

/** The very clients that functions use, which take their address from the environment. */
async function deployedClients(endpoint: string) {
  Object.assign(process.env, { AWS_ENDPOINT_URL: endpoint, AWS_REGION: 'us-east-1' });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
  const { dynamo } = await import('../../functions/aws/dynamo.ts');
  const { kms } = await import('../../functions/aws/kms.ts');
  const { sqs } = await import('../../functions/aws/sqs.ts');
  const { createS3Client } = await import('../../functions/aws/s3.ts');
  const s3 = createS3Client({ forcePathStyle: true });
  return { dynamo, kms, sqs, s3 };
}

beforeAll(async () => {
  server = createServer((request, response) => {
    requests++;
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  clients = await deployedClients(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
});

afterAll(() => {
  for (const client of Object.values(clients)) client.destroy();
  server.closeAllConnections();
  server.close();
});

const CALLS = {
  dynamo: () => clients.dynamo.send(new ListTablesCommand()),
  kms: () => clients.kms.send(new ListKeysCommand()),
  sqs: () => clients.sqs.send(new ListQueuesCommand()),
  s3: () => clients.s3.send(new HeadObjectCommand({ Bucket: 'b', Key: 'k' })),
};

/** The real turns of the event loop, in which connections do what they do, while the timers are the test's. */
const realTurn = setImmediate;
const turn = () => new Promise<void>((resolve) => realTurn(resolve));

/** How many milliseconds of the test's own clock a call takes until it is given up. */
async function givenUpAfter(call: () => Promise<unknown>): Promise<number> {
  const doNotFake = ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'performance'] as const;
  jest.useFakeTimers({ doNotFake: [...doNotFake] });
  try {
    const start = Date.now();
    let error: unknown;
    call().catch((cause: unknown) => {
      error = cause;
    });
    while (error === undefined) {
      await turn();
      await jest.advanceTimersByTimeAsync(10);
    }
    expect(error).toMatchObject({ name: 'TimeoutError' });
    return Date.now() - start;
  } finally {
    jest.useRealTimers();
  }
}

describe('AWS that takes a request and never answers', () => {
  test.each([
    ['dynamo', 2_000],
    ['kms', 3_000],
    ['sqs', 3_000],
    ['s3', 5_000],
  ] as const)('is given up by the client of %s after three times %i ms', async (name, limit) => {
    answer = () => undefined;
    requests = 0;
    const milliseconds = await givenUpAfter(CALLS[name]);
    expect(requests).toBe(3);
    // What the test cannot wait for: a connection that is not made. The handler knows its settings once it is used.
    expect(clients[name].config.requestHandler).toMatchObject({ config: { connectionTimeout: 1_000 } });
    // Between the attempts the SDK waits, for a second at most.
    expect(milliseconds).toBeGreaterThanOrEqual(3 * limit);
    expect(milliseconds).toBeLessThanOrEqual(3 * limit + 2_000);
  });
});

test('AWS that stops in the middle of an answer is given up by each client', async () => {
  answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{');
  const list = () => clients.s3.send(new ListObjectsV2Command({ Bucket: 'b' }));
  const calls = [CALLS.dynamo, CALLS.kms, CALLS.sqs, list];
  const outcomes = await Promise.allSettled(calls.map((call) => call()));
  expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => 'rejected'));
});
