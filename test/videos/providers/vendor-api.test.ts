import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { vendorApi } from '../../../functions/videos/providers/vendor-api.ts';
import { json, KEY, WireServer } from './wire-server.ts';

const api = vendorApi({ base: 'https://api.example/v1', errors: () => undefined });
const anything = v.looseObject({});

describe('a call', () => {
  test('carries the key as a bearer token, and what else it is given', async () => {
    await using server = await WireServer.open();
    server.on('POST /v1/jobs', json(200, {}));
    const body = { json: { prompt: 'fox' }, headers: { 'x-extra': '1' } };
    await api(server.context('/v1')).post('jobs', body, anything);
    expect(server.lastJson()).toEqual({ prompt: 'fox' });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'x-extra': '1' });
  });

  test('may be to an address of the vendor’s own instead of a path', async () => {
    await using server = await WireServer.open();
    server.on('GET /elsewhere/1', json(200, { found: true }));
    const found = api(server.context('/v1')).get(`${server.origin}/elsewhere/1`, anything);
    expect(await found).toEqual({ found: true });
  });
});

test.each([
  ['ECONNREFUSED', 'unavailable'],
  ['UND_ERR_CONNECT_TIMEOUT', 'unavailable'],
  ['ECONNRESET', 'ambiguous'],
  ['UND_ERR_SOCKET', 'ambiguous'],
])('a submit that fails with %s is %s', async (code, kind) => {
  await using server = await WireServer.open();
  const cause = Object.assign(new Error('no answer'), { code });
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
  const submitted = api({ ...server.context('/v1'), fetch }).post('jobs', { json: {} }, anything);
  await expect(submitted).rejects.toMatchObject({ name: 'ProviderError', kind });
});

test.each([
  [404, true],
  [410, true],
  [400, false],
  [503, false],
])('an answer of %i means that what was asked for is gone: %p', async (status, isGone) => {
  await using server = await WireServer.open();
  server.on('GET /v1/jobs/1', json(status, {}));
  await expect(api(server.context('/v1')).get('jobs/1', anything)).rejects.toMatchObject({ isGone });
});

test('a call without a key does not ask', async () => {
  await using server = await WireServer.open();
  const { apiKey: _, ...context } = server.context('/v1');
  const asked = api(context).get('jobs/1', anything);
  await expect(asked).rejects.toMatchObject({ kind: 'credential', wasAsked: false });
});

describe('a submit', () => {
  test.each([
    [400, 'refused'],
    [404, 'refused'],
    [408, 'ambiguous'],
    [409, 'ambiguous'],
    [422, 'refused'],
    [425, 'ambiguous'],
    [499, 'ambiguous'],
  ])('answered with %i is %s', async (status, kind) => {
    await using server = await WireServer.open();
    server.on('POST /v1/jobs', json(status, {}));
    const submitted = api(server.context('/v1')).post('jobs', { json: {} }, anything);
    await expect(submitted).rejects.toMatchObject({ name: 'ProviderError', kind });
  });
});

test('a submit whose time is over before it is sent may be sent again', async () => {
  await using server = await WireServer.open();
  const context = server.context('/v1', { signal: AbortSignal.abort() });
  const submitted = api(context).post('jobs', { json: {} }, anything);
  await expect(submitted).rejects.toMatchObject({ kind: 'unavailable', wasAsked: false });
  expect(server.requests).toHaveLength(0);
});

describe('a request to cancel', () => {
  test.each([
    [204, 'cancelled'],
    [409, 'not_possible'],
    [404, 'not_possible'],
    [410, 'not_possible'],
  ])('answered with %i is %s', async (status, outcome) => {
    await using server = await WireServer.open();
    server.on('DELETE /v1/jobs/1', (response) => response.writeHead(status).end());
    expect(await api(server.context('/v1')).cancel(['DELETE', 'jobs/1'], [409])).toBe(outcome);
  });

  test.each([
    [400, 'refused'],
    [429, 'rate_limited'],
    [500, 'ambiguous'],
  ])('answered with %i has no outcome', async (status, kind) => {
    await using server = await WireServer.open();
    server.on('DELETE /v1/jobs/1', json(status, {}));
    const cancelled = api(server.context('/v1')).cancel(['DELETE', 'jobs/1'], [404, 409]);
    await expect(cancelled).rejects.toMatchObject({ name: 'ProviderError', kind });
  });

  test('has the outcome that the adapter reads from the answer', async () => {
    await using server = await WireServer.open();
    server.on('POST /v1/jobs/1/stop', json(200, { stopping: true }));
    const read = ({ body }: { body: unknown }) =>
      v.is(v.object({ stopping: v.literal(true) }), body) ? 'requested' : 'cancelled';
    expect(await api(server.context('/v1')).cancel(['POST', 'jobs/1/stop'], [], read)).toBe('requested');
  });
});
