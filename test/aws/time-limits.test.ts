import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type ClientRequest, createServer, type RequestListener, type Server } from 'node:http';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { ListKeysCommand } from '@aws-sdk/client-kms';
import { HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';

import { answeringWithin } from '../../functions/aws/client-settings.ts';

let answer: RequestListener;
let server: Server;
let clients: Awaited<ReturnType<typeof deployedClients>>;

/** The same clients that the functions use. They take their address from the environment. */
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
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
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

const ATTEMPTS = 3;
const LIMITS = [
  ['dynamo', 2_000],
  ['kms', 3_000],
  ['sqs', 3_000],
  ['s3', 5_000],
] as const;

/** Connections need real turns of the event loop, although the test controls the timers. */
const realTurn = setImmediate;
const turn = () => new Promise<void>((resolve) => realTurn(resolve));

async function turnsUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

/** Follows a call and its attempts. The test's clock only moves while the SDK waits between attempts. */
function watch(call: () => Promise<unknown>) {
  const seen = { begun: 0, arrived: 0, givenUp: 0, error: undefined as unknown };
  const begin = () => void seen.begun++;
  subscribe('http.client.request.start', begin);
  answer = (request) => {
    seen.arrived++;
    request.socket.once('close', () => seen.givenUp++);
  };
  call()
    .catch((error: unknown) => {
      seen.error = error;
    })
    .finally(() => unsubscribe('http.client.request.start', begin));
  return seen;
}

test('an emulator on a shared machine gets longer timeouts', () => {
  process.env.AWS_PATIENCE = '4';
  const limits = answeringWithin(2_000);
  delete process.env.AWS_PATIENCE;
  expect(limits).toMatchObject({ connectionTimeout: 4_000, requestTimeout: 8_000, socketTimeout: 8_000 });
});

describe('AWS that takes a request and never answers', () => {
  beforeEach(() => {
    const doNotFake = [
      'nextTick',
      'setImmediate',
      'clearImmediate',
      'queueMicrotask',
      'performance',
    ] as const;
    jest.useFakeTimers({ doNotFake: [...doNotFake] });
  });
  afterEach(() => void jest.useRealTimers());

  test.each(LIMITS)('times out for the client of %s three times, each after %i ms', async (name, limit) => {
    const seen = watch(CALLS[name]);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      while (seen.begun < attempt) {
        jest.advanceTimersByTime(1);
        await turn();
      }
      await turnsUntil(() => seen.arrived === attempt);
      jest.advanceTimersByTime(limit - 1);
      for (let quiet = 0; quiet < 20; quiet++) await turn();
      expect(seen).toEqual({ begun: attempt, arrived: attempt, givenUp: attempt - 1, error: undefined });
      jest.advanceTimersByTime(1);
      await turnsUntil(() => seen.givenUp === attempt);
    }
    await turnsUntil(() => seen.error !== undefined);
    expect(seen.error).toMatchObject({ name: 'TimeoutError' });
    expect(seen.begun).toBe(ATTEMPTS);
    // No test can wait for a connection that is never made, so this reads the setting. The SDK sets it on first use.
    expect(clients[name].config.requestHandler).toMatchObject({ config: { connectionTimeout: 1_000 } });
  });
});

describe('AWS that stops in the middle of an answer', () => {
  const reads = { ...CALLS, s3: () => clients.s3.send(new ListObjectsV2Command({ Bucket: 'b' })) };

  test.each(LIMITS)('times out for the client of %s after %i ms without a byte', async (name, limit) => {
    answer = (_, response) => response.writeHead(200, { 'content-length': '100' }).write('{');
    const limits: unknown[] = [];
    // Node.js times sockets itself, and a test's clock cannot change that. So the test tells the socket that its time
    // is over.
    const stall = (message: unknown) => {
      const { socket } = (message as { request: ClientRequest }).request;
      limits.push(socket?.timeout);
      realTurn(() => socket?.emit('timeout'));
    };
    subscribe('http.client.response.finish', stall);
    await expect(reads[name]()).rejects.toMatchObject({ name: 'TimeoutError' });
    unsubscribe('http.client.response.finish', stall);
    expect(limits).toEqual(Array(ATTEMPTS).fill(limit));
  });
});
