import type { RequestListener, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import type { Answer } from '../../../functions/webhooks/delivery/judge-answer.ts';
import { postEvent } from '../../../functions/webhooks/delivery/post-event.ts';
import { deliverySigner } from '../../../functions/webhooks/signature.ts';
import { certificate, testAuthority } from '../../certificates.ts';
import { type LocalServer, openServer, type Received } from '../../local-server.ts';
import { anEvent, START } from '../events/event-fixture.ts';

const sign = await deliverySigner(
  [new Uint8Array(32).fill(7)],
  async () => new Uint8Array(32).fill(8),
  'native',
);
const SHORT_DEADLINE = 300;

let receiver: LocalServer | undefined;
afterEach(async () => {
  await receiver?.close();
  receiver = undefined;
});

/** Sends one delivery over a real connection, through the same egress as the functions. */
async function post(
  answer: RequestListener,
  options: { tls?: 'localhost' | 'other.example'; authority?: string; deadline?: number } = {},
): Promise<Answer> {
  receiver = await openServer(answer, options.tls && certificate(options.tls));
  const fetch = createEgress({
    allowed: new Set(['127.0.0.1', 'localhost']),
    deadlineMilliseconds: options.deadline ?? 20_000,
    ...(options.authority === undefined ? {} : { ca: options.authority }),
  });
  return postEvent(`${receiver.url}/hook`, anEvent(), sign, 'request-1', { fetch, now: () => START });
}

const status = (code: number, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => response.writeHead(code, headers).end(code === 204 ? undefined : 'thanks');
};

describe('a delivery', () => {
  test('is one POST of the exact body, with headers that name, sign and number it', async () => {
    expect(await post(status(204))).toEqual({ status: 204, aborts: false });
    expect(receiver?.received).toHaveLength(1);
    const [{ headers, body }] = receiver!.received as [Received];
    expect(body).toBe(anEvent().body);
    expect(headers).toEqual({
      host: receiver!.url.slice('http://'.length),
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
      'content-type': 'application/json',
      'user-agent': 'Genway-webhooks/1',
      accept: '*/*',
      'accept-encoding': expect.any(String),
      'accept-language': '*',
      'sec-fetch-mode': 'cors',
      'webhook-id': anEvent().id,
      'webhook-timestamp': String(START.getTime() / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}= v1a,[A-Za-z0-9+/]{86}==$/),
      'x-request-id': 'request-1',
      'x-webhook-attempt': '1',
    });
  });

  test('that somebody has asked for says so, and begins to count again', async () => {
    receiver = await openServer(status(204));
    const fetch = createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 20_000 });
    const again = anEvent({ attempts: 12, chain_start: 11, is_redelivery: true });
    await postEvent(`${receiver.url}/hook`, again, sign, 'request-1', { fetch, now: () => START });
    expect(receiver.received).toMatchObject([
      { headers: { 'x-webhook-redelivery': 'true', 'x-webhook-attempt': '2' } },
    ]);
  });

  test.each([200, 204, 302, 404, 410, 500])('that is answered with %i says so', async (code) => {
    expect(await post(status(code))).toEqual({ status: code, aborts: false });
  });

  test('does not follow a redirect', async () => {
    const other = await openServer(status(204));
    for (const code of [301, 302, 303, 307, 308]) {
      expect(await post(status(code, { location: `${other.url}/` }))).toMatchObject({ status: code });
      await receiver?.close();
    }
    expect(other.received).toEqual([]);
    await other.close();
  });

  test.each([
    ['120', 120],
    ['Tue, 01 Jan 2030 00:05:00 GMT', 300],
    ['soon', undefined],
  ])('reads a requested pause: %s', async (header, seconds) => {
    const answer = await post(status(503, { 'retry-after': header }));
    expect(answer).toEqual({
      status: 503,
      aborts: false,
      ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
    });
  });

  test('notices that the receiver wants no further attempt', async () => {
    expect(await post(status(500, { 'webhook-delivery': 'abort-message' }))).toMatchObject({ aborts: true });
    await receiver?.close();
    expect(await post(status(500, { 'webhook-delivery': 'other' }))).toMatchObject({ aborts: false });
  });
});

describe('a receiver', () => {
  test('that never answers is abandoned at the deadline', async () => {
    expect(await post(() => undefined, { deadline: SHORT_DEADLINE })).toEqual({ failure: 'timed_out' });
  });

  test('that answers byte by byte is abandoned at the same deadline', async () => {
    const drip = (response: ServerResponse) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.once('close', () => clearInterval(timer));
    };
    const answer = await post((_, response) => drip(response), { deadline: SHORT_DEADLINE });
    expect(answer).toEqual({ failure: 'timed_out' });
  });

  test('that breaks off before or within its response has not accepted the event', async () => {
    expect(await post((request) => request.socket.destroy())).toEqual({ failure: 'connection_failed' });
    await receiver?.close();
    const cut = await post((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => request.socket.destroy());
    });
    expect(cut).toEqual({ failure: 'connection_failed' });
  });

  test('that sends more than 64 KiB is not read any further', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const answer = await post((_, response) => {
      response.once('close', resolve).writeHead(200);
      const more = () => {
        if (!response.destroyed) response.write(Buffer.alloc(16_384), more);
      };
      more();
    });
    expect(answer).toEqual({ status: 200, aborts: false });
    await left;
  });

  test('that does not listen counts as a failed connection', async () => {
    const closed = await openServer(status(204));
    await closed.close();
    const fetch = createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 20_000 });
    const sent = postEvent(closed.url, anEvent(), sign, 'r', { fetch, now: () => START });
    expect(await sent).toEqual({ failure: 'connection_failed' });
  });

  test('is trusted only by its certificate', async () => {
    const trusted = { tls: 'localhost', authority: testAuthority } as const;
    expect(await post(status(204), trusted)).toEqual({ status: 204, aborts: false });
    for (const options of [{ ...trusted, tls: 'other.example' }, { tls: 'localhost' }] as const) {
      await receiver?.close();
      expect(await post(status(204), options)).toEqual({ failure: 'tls_failed' });
      expect(receiver?.received).toEqual([]);
    }
  });

  test('without TLS is distinguished from one that is unreachable', async () => {
    const plain = await openServer(status(204));
    const fetch = createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 20_000 });
    const url = plain.url.replace('http:', 'https:');
    const sent = await postEvent(url, anEvent(), sign, 'r', { fetch, now: () => START });
    expect(sent).toEqual({ failure: 'tls_failed' });
    await plain.close();
  });
});

test.each([
  'http://receiver.genway.dev/',
  'https://10.0.0.7/',
  'https://[::1]/',
  'https://receiver.genway.dev:9001/',
])('an address that may not be reached is refused without a request: %s', async (url) => {
  const fetch = createEgress({ allowed: new Set(), deadlineMilliseconds: 1_000 });
  const sent = await postEvent(url, anEvent(), sign, 'r', { fetch, now: () => START });
  expect(sent).toEqual({ failure: 'address_refused' });
});
