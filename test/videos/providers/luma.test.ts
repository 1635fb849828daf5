import { describe, expect, test } from '@jest/globals';
import { luma as provider } from '../../../functions/videos/providers/luma.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/generations';
const POLL = 'GET /v1/generations/g1';
const ref = { id: 'g1' };
const context = (server: WireServer) => server.context('/v1');
const told = (generation: object) => json(200, { id: 'g1', type: 'video', model: 'ray-3.2', ...generation });

describe('a generation', () => {
  test('is created in the model’s shape', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, told({ state: 'queued' }));
    expect(await provider.submit(aProviderJob(), context(server))).toEqual({ ref, upstreamId: 'g1' });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      type: 'video',
      model: 'model-1',
      prompt: 'A red fox',
      aspect_ratio: '16:9',
      video: { duration: '5s', resolution: '720p' },
    });
  });

  test('has frames by their addresses', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, told({ state: 'queued' }));
    const frameImages = (['first_frame', 'last_frame'] as const).map((frameType) => ({
      frameType,
      url: `https://a.example/${frameType}`,
    }));
    await provider.submit(aProviderJob({ frameImages }), context(server));
    expect(server.lastJson()).toMatchObject({
      video: {
        start_frame: { url: 'https://a.example/first_frame#linked' },
        end_frame: { url: 'https://a.example/last_frame#linked' },
      },
    });
  });

  test.each([
    [
      { state: 'failed', failure_code: 'content_moderated', failure_reason: 'Not this' },
      { state: 'failed', reason: 'Not this', moderated: true },
    ],
    [
      { state: 'failed', failure_code: 'generation_failed' },
      { state: 'failed', reason: 'generation_failed' },
    ],
    [
      {
        state: 'completed',
        output: [
          { type: 'image', url: 'https://l.example/thumb' },
          { type: 'video', url: 'https://l.example/v' },
        ],
      },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://l.example/v' }] },
    ],
    [
      { state: 'completed', output: null },
      { state: 'succeeded', outputs: [] },
    ],
  ])('%j ends so', async (generation, state) => {
    await using server = await WireServer.open();
    server.on(POLL, told(generation));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, told({ id: 'g2', state: 'completed' }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test.each([
  ['content_moderated', 'moderated'],
  ['budget_exhausted', 'credential'],
  ['rate_limited', 'rate_limited'],
  ['invalid_request', 'refused'],
])('a submit that is answered with %s is %s', async (code, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(400, { error: { code, message: 'No' } }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});
