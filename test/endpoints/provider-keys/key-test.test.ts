import { describe, expect, test } from '@jest/globals';
import { type KeyTestOptions, keyTestOf } from '../../../functions/endpoints/provider-keys/key-test.ts';
import { json, KEY, START, WireServer } from '../../videos/providers/wire-server.ts';

const options = (origin: string, videoProviders: KeyTestOptions['videoProviders'] = {}): KeyTestOptions => ({
  videoProviders,
  fileBaseUrls: { openai: `${origin}/v1`, anthropic: `${origin}/v1` },
  allowedHosts: new Set(['127.0.0.1']),
  milliseconds: 10_000,
  now: () => START,
});

describe('a test of a key', () => {
  test.each([
    [200, { creditBalance: 1 }, 'accepted', null],
    [401, { error: `No such key: ${KEY}` }, 'rejected', 'The provider returned 401: No such key: [redacted]'],
    [402, { error: 'no funds' }, 'rejected', 'The provider returned 402: no funds'],
    [404, {}, 'unknown', 'The provider returned 404'],
    [429, {}, 'unknown', 'The provider returned 429'],
    [500, {}, 'unknown', 'The provider returned 500'],
  ])('of a video provider that answers %i', async (status, body, outcome, message) => {
    await using server = await WireServer.open();
    server.on('GET /organization', json(status, body));
    const providers = { runway: { credential: 'workspace' as const, base_url: server.origin } };
    const found = await keyTestOf('runway', options(server.origin, providers))?.(KEY);
    expect(found).toEqual({ outcome, message });
  });

  test.each([
    [401, 'rejected', /: Bad key \[redacted\]$/],
    [402, 'rejected', /: Bad key \[redacted\]$/],
    [404, 'unknown', /: Bad key \[redacted\]$/],
    [500, 'unknown', /failed$/],
    [302, 'unknown', /failed$/],
  ])('of a provider of files that answers %i is %s, without the key', async (status, outcome, message) => {
    await using server = await WireServer.open();
    const error = { message: `Bad key ${KEY.toUpperCase()}` };
    server.on('GET /v1/files?limit=1&order=asc', json(status, { error }, { location: 'https://a.example/' }));
    const found = await keyTestOf('openai', options(server.origin))?.(KEY);
    expect(found).toEqual({ outcome, message: expect.stringMatching(message) });
  });

  test('of a provider of videos and files asks for videos', async () => {
    await using server = await WireServer.open();
    server.on('GET /videos?limit=1', json(200, { data: [] }));
    const openai = { adapter: 'openai-videos', credential: 'shared' as const, base_url: server.origin };
    await keyTestOf('openai', options(server.origin, { openai }))?.(KEY);
    expect(server.requests.map(({ url }) => url)).toEqual(['/videos?limit=1']);
  });

  test.each(['sandbox', 'bedrock', 'luma', 'fal'])('is not there for %s, which no key is sent to', (name) => {
    const providers = { [name]: { credential: 'none' as const } };
    expect(keyTestOf(name, options('http://127.0.0.1', name === 'luma' ? {} : providers))).toBeUndefined();
  });
});
