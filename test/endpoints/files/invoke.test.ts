import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, expect, test } from '@jest/globals';
import { InvocationFailed, invoke } from '../../../functions/endpoints/files/provider-files.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** The SDK's real client, connected to a server that answers like Lambda. */
async function clientOf(answer: RequestListener): Promise<LambdaClient> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return new LambdaClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    maxAttempts: 1,
  });
}

test('a function is sent JSON, and its answer comes back', async () => {
  const seen: string[] = [];
  const client = await clientOf(async (request, response) => {
    seen.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end('{"outcome":"none"}');
  });
  expect(await invoke(client, 'opener', { a: 'ä' })).toEqual({ outcome: 'none' });
  expect(seen).toEqual(['POST /2015-03-31/functions/opener/invocations {"a":"ä"}']);
});

test('the error names a failed function, and does not repeat its message', async () => {
  const client = await clientOf((_, response) => {
    response.setHeader('x-amz-function-error', 'Unhandled');
    response.end('{"errorMessage":"sk-planted"}');
  });
  const failure = await invoke(client, 'opener', {}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvocationFailed);
  expect((failure as Error).message).toBe('opener failed: Unhandled');
  expect(JSON.stringify(failure)).not.toContain('sk-planted');
});
