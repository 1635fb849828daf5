import { describe, expect, test } from '@jest/globals';
import {
  type ProviderContext,
  ProviderError,
  type ProviderErrorKind,
  type ProviderJob,
  type ProviderRef,
  type VideoProvider,
} from '../../../functions/videos/providers/provider.ts';
import { type Answer, aProviderJob, json, KEY, START, WireServer } from './wire-server.ts';

export interface OddWire {
  readonly provider: VideoProvider;
  readonly basePath: string;
  readonly submit: string;
  readonly poll: string;
  readonly ref: (origin: string) => ProviderRef;
  readonly job?: Partial<ProviderJob>;
  /** Other parts of the adapter's context. */
  readonly given?: Partial<ProviderContext>;
  /** The provider is called without a key. */
  readonly isKeyless?: true;
}

const html: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sorry</title>');
const truncated: Answer = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": "job-1", "status"');
const cutOff: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' }).write('{"id":');
  response.destroy();
};
const endless: Answer = (response) => response.writeHead(200).end(`"${'x'.repeat(1024 * 1024)}"`);
const badGateway: Answer = (response) => response.writeHead(502).end('<html>Bad Gateway</html>');
const reset: Answer = (response) => response.destroy();
const redirect: Answer = (response) => response.writeHead(302, { location: 'https://elsewhere.com/' }).end();

const inHalfAMinute = new Date(START.getTime() + 30_000).toUTCString();

interface Fault {
  readonly reply: string;
  readonly answer: Answer;
  readonly kind: ProviderErrorKind;
  readonly seconds?: number;
}

const FAULTS: readonly Fault[] = [
  { reply: 'HTML', answer: html, kind: 'ambiguous' },
  { reply: 'JSON cut short', answer: truncated, kind: 'ambiguous' },
  { reply: 'a connection cut within the answer', answer: cutOff, kind: 'ambiguous' },
  { reply: 'more than a megabyte', answer: endless, kind: 'ambiguous' },
  { reply: 'null', answer: json(200, null), kind: 'ambiguous' },
  { reply: 'a list', answer: json(200, []), kind: 'ambiguous' },
  { reply: 'an empty object', answer: json(200, {}), kind: 'ambiguous' },
  { reply: 'a 500', answer: json(500, { error: { message: 'internal' } }), kind: 'ambiguous' },
  { reply: 'a gateway’s 502 in HTML', answer: badGateway, kind: 'ambiguous' },
  { reply: 'a 503', answer: json(503, {}), kind: 'ambiguous' },
  {
    reply: 'a 503 that says when to come back',
    answer: json(503, {}, { 'retry-after': '3' }),
    kind: 'ambiguous',
    seconds: 3,
  },
  { reply: 'a reset after the request', answer: reset, kind: 'ambiguous' },
  { reply: 'a redirect', answer: redirect, kind: 'refused' },
  {
    reply: 'a 429 with seconds',
    answer: json(429, {}, { 'retry-after': '7' }),
    kind: 'rate_limited',
    seconds: 7,
  },
  {
    reply: 'a 429 with a date',
    answer: json(429, {}, { 'retry-after': inHalfAMinute }),
    kind: 'rate_limited',
    seconds: 30,
  },
  { reply: 'a 429 with nonsense', answer: json(429, {}, { 'retry-after': 'soon' }), kind: 'rate_limited' },
  { reply: 'a 401', answer: json(401, { error: { message: 'bad key' } }), kind: 'credential' },
  { reply: 'a 402', answer: json(402, { error: 'no money' }), kind: 'credential' },
];

/** Replies that any vendor may send by mistake. Every adapter must survive them. */
export function describeOddReplies(wire: OddWire): void {
  const job = aProviderJob(wire.job);
  const context = (server: WireServer, change: Partial<ProviderContext> = {}) =>
    server.context(wire.basePath, { ...wire.given, ...change });

  describe('a submit', () => {
    test.each(FAULTS)('answered with $reply is $kind', async ({ answer, kind, seconds }) => {
      await using server = await WireServer.open();
      server.on(wire.submit, answer);
      const failure = wire.provider.submit(job, context(server));
      await expect(failure).rejects.toMatchObject({
        name: 'ProviderError',
        kind,
        retryAfterSeconds: seconds,
      });
      expect(server.requests).toHaveLength(1);
    });

    test('without a response is ambiguous, but without a connection it is not', async () => {
      await using server = await WireServer.open();
      const { signal, abort } = abortable();
      server.on(wire.submit, abort);
      const unanswered = wire.provider.submit(job, context(server, { signal }));
      await expect(unanswered).rejects.toMatchObject({ kind: 'ambiguous' });

      const closed = await WireServer.open();
      const unheard = context(closed);
      await closed[Symbol.asyncDispose]();
      await expect(wire.provider.submit(job, unheard)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    test('that is refused says why, without the key', async () => {
      await using server = await WireServer.open();
      server.on(wire.submit, json(400, { error: { message: `Bad seconds for ${KEY}`, code: 'bad' } }));
      const error = await wire.provider.submit(job, context(server)).catch((e) => e);
      expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('Bad seconds') });
      expect(error.message).not.toContain(KEY);
    });

    if (wire.isKeyless !== true) {
      test('without a key sends nothing', async () => {
        await using server = await WireServer.open();
        const { apiKey: _, ...keyless } = context(server);
        await expect(wire.provider.submit(job, keyless)).rejects.toMatchObject({ kind: 'credential' });
        expect(server.requests).toEqual([]);
      });
    }
  });

  describe('a poll', () => {
    test.each(FAULTS)('answered with $reply says nothing about the job', async ({ answer }) => {
      await using server = await WireServer.open();
      server.on(wire.poll, answer);
      const answered = wire.provider.poll(wire.ref(server.origin), context(server));
      await expect(answered).rejects.toBeInstanceOf(ProviderError);
    });
  });
}

/** A signal that is aborted when a request arrives, as if by a time-out. */
function abortable(): { signal: AbortSignal; abort: Answer } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: () => controller.abort(new DOMException('late', 'TimeoutError')),
  };
}
