import { describe, expect, test } from '@jest/globals';
import {
  type ProviderContext,
  ProviderError,
  type ProviderErrorKind,
} from '../../../functions/videos/providers/provider.ts';
import { providerOf } from '../../../functions/videos/providers/registry.ts';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from './account-fixture.ts';
import { type Answer, aProviderJob, json, KEY, START, WireServer } from './wire-server.ts';
import { type VendorName, type Wire, wiresFor } from './wires.ts';

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

/** Replies that any vendor may send by mistake. Every adapter must survive them. */
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

const WIRES = wiresFor('t1');
/** Models of Kling's that have an address of their own. */
const BY_PATH: Wire = {
  submit: 'POST /text-to-video/model-1',
  created: { code: 0, data: { id: 't1' } },
  poll: 'GET /tasks?task_ids=t1',
  words: ['submitted', 'processing', 'succeeded'],
  told: (status, url) => ({ code: 0, data: [{ id: 't1', status, outputs: [{ type: 'video', url }] }] }),
};
const vendors = Object.keys(WIRES).filter((name): name is VendorName => name in WIRES);
const adapters = [
  ...vendors.map((vendor) => ({ name: vendor, vendor, wire: WIRES[vendor], dialect: {} })),
  { name: 'kling by path', vendor: 'kling' as const, wire: BY_PATH, dialect: { wire: 'by-path' } },
];
/** It asks with the stage's role, and puts its videos into the stage's bucket. */
const KEYLESS = 'bedrock';
/** After how many seconds to ask again, where the first three polls say it. */
const PACES: Partial<Record<VendorName, readonly (number | undefined)[]>> = {
  gemini: [undefined, 10, 10],
  'gemini-veo': [10, 10, 10],
  runway: [10, 10, 10],
};

describe.each(adapters)('an adapter: $name', ({ vendor, wire, dialect }) => {
  const provider = providerOf(vendor);
  const job = aProviderJob({ dialect });
  const account = ownAccount({}, accountPorts);
  const context = (server: WireServer, change: Partial<ProviderContext> = {}) =>
    server.context(wire.base ?? '', { account, ...change });
  const submit = (server: WireServer, change: Partial<ProviderContext> = {}) =>
    provider.submit(job, context(server, change));

  async function submitted(server: WireServer) {
    server.on(wire.submit, json(200, wire.created));
    const { ref } = await submit(server);
    return { poll: () => provider.poll(ref, context(server)) };
  }

  describe('a submit', () => {
    test.each(FAULTS)('answered with $reply is $kind', async ({ answer, kind, seconds }) => {
      await using server = await WireServer.open();
      server.on(wire.submit, answer);
      await expect(submit(server)).rejects.toMatchObject({
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
      await expect(submit(server, { signal })).rejects.toMatchObject({ kind: 'ambiguous' });

      const closed = await WireServer.open();
      const unheard = context(closed);
      await closed[Symbol.asyncDispose]();
      await expect(provider.submit(job, unheard)).rejects.toMatchObject({ kind: 'unavailable' });
    });

    test('that is refused says why, without the key', async () => {
      await using server = await WireServer.open();
      server.on(wire.submit, json(400, { error: { message: `Bad seconds for ${KEY}`, code: 'bad' } }));
      const error = await submit(server).catch((e) => e);
      expect(error).toMatchObject({ kind: 'refused', message: expect.stringContaining('Bad seconds') });
      expect(error.message).not.toContain(KEY);
    });

    if (vendor !== KEYLESS) {
      test('without a key sends nothing', async () => {
        await using server = await WireServer.open();
        const { apiKey: _, ...keyless } = context(server);
        await expect(provider.submit(job, keyless)).rejects.toMatchObject({ kind: 'credential' });
        expect(server.requests).toEqual([]);
      });
    }
  });

  describe('a poll', () => {
    test('tells how far the work is, also in a word that is new', async () => {
      await using server = await WireServer.open();
      const { poll } = await submitted(server);
      const [queued, running, succeeded] = wire.words;
      const url = 'https://vendor.example/v.mp4';
      server.on(
        wire.poll,
        ...[queued, running, 'dreaming', succeeded].map((word) => json(200, wire.told(word, url))),
      );
      if (wire.result !== undefined) server.on(wire.result[0], json(200, wire.result[1](url)));
      const pace = PACES[vendor] ?? [];
      const states = [];
      for (let polls = 0; polls < 4; polls++) states.push(await poll());
      expect(states).toEqual([
        { state: queued === running ? 'running' : 'queued', retryAfterSeconds: pace[0] },
        { state: 'running', retryAfterSeconds: pace[1] },
        { state: 'running', retryAfterSeconds: pace[2] },
        {
          state: 'succeeded',
          outputs: [{ kind: 'url', url: vendor === KEYLESS ? expect.any(String) : url }],
        },
      ]);
    });

    test.each(FAULTS)('answered with $reply says nothing about the job', async ({ answer }) => {
      await using server = await WireServer.open();
      const { poll } = await submitted(server);
      server.on(wire.poll, answer);
      await expect(poll()).rejects.toBeInstanceOf(ProviderError);
    });
  });

  if (wire.check === undefined) return;
  const [route, status, body] = wire.check;

  describe('a test of a key', () => {
    test('is one read, with the key', async () => {
      await using server = await WireServer.open();
      server.on(route, json(status, body));
      await provider.checkKey?.(context(server));
      expect(server.requests).toHaveLength(1);
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(KEY);
    });

    test.each(FAULTS)('answered with $reply is $kind', async ({ answer, kind }) => {
      await using server = await WireServer.open();
      server.on(route, answer);
      await expect(provider.checkKey?.(context(server))).rejects.toMatchObject({ kind });
    });

    test('is not passed by a server that does not know what is read', async () => {
      await using server = await WireServer.open();
      await expect(provider.checkKey?.(context(server))).rejects.toMatchObject({ isGone: true });
    });
  });
});

/** A signal that is aborted when a request arrives, as if by a time-out. */
function abortable(): { signal: AbortSignal; abort: Answer } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: () => controller.abort(new DOMException('late', 'TimeoutError')),
  };
}
