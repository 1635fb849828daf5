import { describe, expect, test } from '@jest/globals';
import { wavespeed as provider } from '../../../functions/videos/providers/wavespeed.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /api/v3/model-1';
const POLL = 'GET /api/v3/predictions/p1/result';
const context = (server: WireServer) => server.context('/api/v3');
const refAt = (origin: string) => ({ id: 'p1', get: `${origin}/api/v3/predictions/p1/result` });
const told = (data: object) => json(200, { code: 200, message: 'success', data: { id: 'p1', ...data } });

describe('a prediction', () => {
  test('is created at the address of its model', async () => {
    await using server = await WireServer.open();
    server.on(
      SUBMIT,
      told({ status: 'created', urls: { get: `${server.origin}/api/v3/predictions/p1/result` } }),
    );
    const ref = refAt(server.origin);
    const job = aProviderJob({ resolution: '1080p' });
    expect(await provider.submit(job, context(server))).toEqual({ ref, upstreamId: 'p1' });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      prompt: 'A red fox',
      resolution: '1080p',
      duration: 5,
      aspect_ratio: '16:9',
    });
  });

  test('is created there, whatever its model is called', async () => {
    await using server = await WireServer.open();
    server.on('POST /api/v3/acme:veo', told({ status: 'created' }));
    const job = aProviderJob({ upstreamModel: 'acme:veo' });
    expect(await provider.submit(job, context(server))).toMatchObject({ upstreamId: 'p1' });
  });

  test('with frames is one of another model, in their shape', async () => {
    await using server = await WireServer.open();
    server.on('POST /api/v3/model-1/image-to-video', told({ status: 'created' }));
    const { aspectRatio: _, ...job } = aProviderJob({
      dialect: { first_frame_model: 'model-1/image-to-video' },
      frameImages: [
        { frameType: 'first_frame', url: 'https://a.example/1' },
        { frameType: 'last_frame', url: 'https://a.example/2' },
      ],
    });
    expect(await provider.submit(job, context(server))).toEqual({
      ref: refAt(server.origin),
      upstreamId: 'p1',
    });
    expect(server.lastJson()).toEqual({
      prompt: 'A red fox',
      resolution: '720p',
      duration: 5,
      image: 'https://a.example/1#linked',
      last_image: 'https://a.example/2#linked',
    });
  });

  test('is never asked about at an address of somebody else', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, told({ status: 'created', urls: { get: 'https://other.example/p1' } }));
    const { ref } = await provider.submit(aProviderJob(), context(server));
    expect(ref).toEqual(refAt(server.origin));
  });

  test.each([
    [
      { status: 'failed', error: 'It broke' },
      { state: 'failed', reason: 'It broke' },
    ],
    [
      { status: 'failed', error: 'Content flagged as sensitive' },
      { state: 'failed', reason: 'Content flagged as sensitive', moderated: true },
    ],
    [{ status: 'completed' }, { state: 'succeeded', outputs: [] }],
  ])('%j ends so', async (data, state) => {
    await using server = await WireServer.open();
    server.on(POLL, told(data));
    expect(await provider.poll(refAt(server.origin), context(server))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, told({ id: 'p2', status: 'completed' }));
    await expect(provider.poll(refAt(server.origin), context(server))).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});

test.each([
  [400, 'Insufficient credits. Please top up.', 'credential'],
  [400, 'The prompt was flagged by content moderation', 'moderated'],
  [400, 'duration must be at most 30', 'refused'],
])('a submit answered with %i and “%s” is %s', async (status, message, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { code: status, message }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});
