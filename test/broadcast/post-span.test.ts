import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { StoredDestination } from '../../functions/broadcast/destination.ts';
import { testSpan } from '../../functions/broadcast/generation-span.ts';
import { postSpan } from '../../functions/broadcast/post-span.ts';
import { createEgress } from '../../functions/egress/egress-fetch.ts';
import type { Answer } from '../../functions/webhooks/delivery/judge-answer.ts';
import { type LocalServer, openServer, type Received } from '../local-server.ts';
import { START } from '../videos/jobs/job-fixture.ts';
import { aDestination } from './ended-event.ts';
import { decodeSpan } from './otlp-schema.ts';

let collector: LocalServer | undefined;
afterEach(async () => {
  await collector?.close();
  collector = undefined;
});

/** Sends one request over a real connection, through the same egress as the functions. */
async function post(
  answer: RequestListener,
  headers: Record<string, string> = {},
  change: Partial<StoredDestination> = {},
): Promise<Answer> {
  collector = await openServer(answer);
  const url = `${collector.url}/v1/traces?project=1`;
  const destination = aDestination({ url, header_names: Object.keys(headers), ...change });
  return postSpan(destination, testSpan('id', 'ws-1', START), 'request-1', {
    fetch: createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 5_000 }),
    now: () => START,
    openHeaders: async () => headers,
  });
}

const says =
  (status: number, body = '', headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

test('a span is one POST of JSON, with the destination’s headers and ours', async () => {
  let target: string | undefined;
  const answer = await post(
    (request, response) => {
      target = `${request.method} ${request.url}`;
      response.end();
    },
    { authorization: 'Basic c2VjcmV0' },
  );
  expect([answer, target]).toEqual([{ status: 200, aborts: false }, 'POST /v1/traces?project=1']);
  const [{ headers, body }] = collector!.received as [Received];
  expect(headers).toMatchObject({
    authorization: 'Basic c2VjcmV0',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Genway-broadcast/1',
    'x-request-id': 'request-1',
  });
  expect(decodeSpan(body).attributes).toMatchObject({ 'genway.test': true });
});

test('a webhook gets it by the method that it names, and its answer rejects no span', async () => {
  let method: string | undefined;
  const answer = await post(
    (request, response) => {
      method = request.method;
      response.end('{"partialSuccess":{"rejectedSpans":1}}');
    },
    {},
    { type: 'webhook', method: 'PUT' },
  );
  expect([answer, method]).toEqual([{ status: 200, aborts: false }, 'PUT']);
});

describe('the answer of a collector', () => {
  test.each<[string, boolean]>([
    ['', false],
    ['{}', false],
    ['OK', false],
    ['{"partialSuccess":null}', false],
    ['{"partialSuccess":{}}', false],
    ['{"partialSuccess":{"errorMessage":"slow down"}}', false],
    ['{"partialSuccess":{"rejectedSpans":"0"}}', false],
    ['{"partialSuccess":{"rejectedSpans":0}}', false],
    ['{"partialSuccess":{"rejectedSpans":"1"}}', true],
    ['{"partialSuccess":{"rejectedSpans":1,"errorMessage":"no"}}', true],
    [`{"partialSuccess":{"rejectedSpans":1}}${' '.repeat(64 * 1024)}`, false],
  ])('%.60s: rejects the span: %p', async (body, aborts) => {
    expect(await post(says(200, body))).toEqual({ status: 200, aborts });
  });

  test('that asks for a delay gets it', async () => {
    expect(await post(says(429, '', { 'retry-after': '30' }))).toEqual({
      status: 429,
      aborts: false,
      retryAfterSeconds: 30,
    });
  });

  test('that redirects is not followed', async () => {
    expect(await post(says(307, '', { location: 'http://127.0.0.1:1/' }))).toMatchObject({ status: 307 });
  });

  test('that never arrives is a failure', async () => {
    expect(await post((request) => request.socket.destroy())).toEqual({ failure: 'connection_failed' });
  });
});
