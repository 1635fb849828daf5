import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import { isSignedCallback } from '../../../functions/videos/callbacks/receive-callback.ts';
import { sandboxProvider } from '../../../functions/videos/providers/sandbox.ts';
import { stageConfig } from '../../../lib/stage/config.ts';
import { type Edge, openEdge } from '../../../local/edge/edge.ts';
import {
  sandboxCalls,
  sandboxKey,
  sandboxSettings,
  withSandboxCalls,
} from '../../../local/edge/sandbox-calls.ts';
import { aProviderJob, START } from '../../videos/providers/wire-server.ts';

const key = await sandboxKey('secret');
const calls = new EventTarget();
let edge: Edge;

beforeEach(async () => {
  edge = await openEdge({ port: 0, secret: 'secret' });
  const route = sandboxCalls(edge.url, key);
  edge.serve((request) => route(request) ?? { serve: async (response) => receive(request, response) });
});

afterEach(() => edge.close());

/** In the place of the API. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  const detail = { request: `${method} ${url}`, headers, body: await text(request) };
  response.end();
  calls.dispatchEvent(new CustomEvent('call', { detail }));
}

const submit = (callbackUrl: string) =>
  sandboxProvider.submit(aProviderJob({ width: 64, height: 64, callbackUrl, options: { latency_s: 0 } }), {
    settings: { ...sandboxSettings(edge.url, key), credential: 'none' },
    inputs: { link: async (url) => url, read: () => Promise.reject(new Error('it has no inputs')) },
    fetch: createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 30_000 }),
    now: () => START,
    signal: new AbortController().signal,
  });

const callSchema = v.object({
  detail: v.object({ request: v.string(), headers: v.record(v.string(), v.string()), body: v.string() }),
});

test('when the work has ended, the sandbox calls the address of the submit, signed with the key of the stage’s settings', async () => {
  const called = once(calls, 'call');
  await submit(`${edge.url}/api/v1/callbacks/the-token`);
  const [event] = await called;
  const { request, headers, body } = v.parse(callSchema, event).detail;
  expect(request).toBe('POST /api/v1/callbacks/the-token');
  const { callback_keys } = sandboxSettings(edge.url, key);
  expect(isSignedCallback(headers, Buffer.from(body), callback_keys, new Date())).toBe(true);
  const other = sandboxSettings(edge.url, await sandboxKey('another'));
  expect(isSignedCallback(headers, Buffer.from(body), other.callback_keys, new Date())).toBe(false);
});

test('nobody else is called', async () => {
  const ask = (url: string, seconds: string) =>
    fetch(`${edge.url}/sandbox-calls?${new URLSearchParams({ url, seconds })}`, { method: 'POST' });
  const own = `${edge.url}/api/v1/callbacks/token`;
  const statuses = [
    await ask('https://example.com/', '3600'),
    await ask(`${edge.url}.example.com/api/v1/callbacks/token`, '3600'),
    await ask(own, 'soon'),
    await ask(own, '-1'),
    await ask(own, '1e9'),
    await ask(own, '3600'),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 202]);
});

test('a submit is accepted although nobody promises the call', async () => {
  await edge.close();
  await expect(submit(`${edge.url}/api/v1/callbacks/the-token`)).resolves.toHaveProperty('ref');
});

test.each([
  [
    'those of its settings, of which the sandbox calls the stage',
    { sandbox: {}, fal: {} },
    ['sandbox', 'fal'],
  ],
  ['without the sandbox, if its settings have none', { fal: {} }, ['fal']],
])('the providers of a stage are %s', (_, providers, names) => {
  const videos = stageConfig('local', { videos: { providers } }).videos;
  const offered = withSandboxCalls(videos, edge.url, key).providers;
  expect(Object.keys(offered)).toEqual(names);
  expect(offered).toMatchObject(videos.providers);
  expect(offered.sandbox).toEqual(
    videos.providers.sandbox && { ...videos.providers.sandbox, ...sandboxSettings(edge.url, key) },
  );
});
