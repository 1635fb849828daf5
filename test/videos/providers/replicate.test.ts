import { describe, expect, test } from '@jest/globals';
import { replicate as provider } from '../../../functions/videos/providers/replicate.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const job = aProviderJob({ upstreamModel: 'google/veo-3.1' });
const SUBMIT = 'POST /v1/models/google/veo-3.1/predictions';
const POLL = 'GET /v1/predictions/p1';
const refAt = (origin: string) => ({
  id: 'p1',
  get: `${origin}/v1/predictions/p1`,
  cancel: `${origin}/v1/predictions/p1/cancel`,
});

describe('a prediction', () => {
  test('is created, followed and read', async () => {
    await using server = await WireServer.open();
    const context = server.context('/v1');
    const urls = { get: `${server.origin}/shard/p1`, cancel: `${server.origin}/shard/p1/cancel`, web: 'x' };
    server.on(SUBMIT, json(201, { id: 'p1', status: 'starting', urls }));
    const { ref, upstreamId } = await provider.submit(job, context);
    expect([ref, upstreamId]).toEqual([{ id: 'p1', get: urls.get, cancel: urls.cancel }, 'p1']);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    server.on(
      'GET /shard/p1',
      json(200, { id: 'p1', status: 'starting', output: null }),
      json(200, { id: 'p1', status: 'processing' }),
      json(200, { id: 'p1', status: 'dreaming' }),
      json(200, { id: 'p1', status: 'succeeded', output: 'https://replicate.delivery/a.mp4' }),
    );
    const states = [];
    for (let poll = 0; poll < 4; poll++) states.push(await provider.poll(ref, context));
    expect(states).toEqual([
      { state: 'queued' },
      { state: 'running' },
      { state: 'running' },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://replicate.delivery/a.mp4' }] },
    ]);
  });

  test('keeps its key from addresses on another host', async () => {
    await using server = await WireServer.open();
    const urls = { get: 'https://evil.example/get', cancel: 'nonsense' };
    server.on(SUBMIT, json(201, { id: 'p1', urls }));
    expect((await provider.submit(job, server.context('/v1'))).ref).toEqual(refAt(server.origin));
  });

  test.each([
    [{ status: 'succeeded', output: ['https://a/1', 'https://a/2'] }, 2],
    [{ status: 'succeeded', output: null, data_removed: true }, 0],
    [{ status: 'succeeded', output: { video: 'https://a/1' } }, 0],
    [{ status: 'succeeded', output: '' }, 0],
  ])('%j has %i results', async (prediction, count) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'p1', ...prediction }));
    const state = await provider.poll(refAt(server.origin), server.context('/v1'));
    expect(state).toMatchObject({ state: 'succeeded', outputs: { length: count } });
  });

  test.each([
    [
      { status: 'failed', error: 'CUDA out of memory' },
      { state: 'failed', reason: 'CUDA out of memory' },
    ],
    [
      { status: 'failed', error: 'The input was flagged as sensitive (E005)' },
      { state: 'failed', reason: 'The input was flagged as sensitive (E005)', moderated: true },
    ],
    [
      { status: 'failed', error: { code: 1 } },
      { state: 'failed', reason: 'The provider reports the job as failed' },
    ],
    [{ status: 'canceled' }, { state: 'cancelled', reason: 'The provider reports the job as canceled' }],
    [{ status: 'aborted' }, { state: 'cancelled', reason: 'The provider reports the job as aborted' }],
  ])('%j has ended', async (prediction, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'p1', ...prediction }));
    expect(await provider.poll(refAt(server.origin), server.context('/v1'))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'p2', status: 'succeeded', output: 'https://a/1' }));
    const poll = provider.poll(refAt(server.origin), server.context('/v1'));
    await expect(poll).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is cancelled as far as it can be', async () => {
    await using server = await WireServer.open();
    server.on(
      'POST /v1/predictions/p1/cancel',
      json(200, { id: 'p1', status: 'canceled' }),
      json(200, { id: 'p1', status: 'processing' }),
      json(404, {}),
      json(500, {}),
    );
    const cancel = () => provider.cancel?.(refAt(server.origin), server.context('/v1'));
    expect([await cancel(), await cancel(), await cancel()]).toEqual([
      'cancelled',
      'requested',
      'not_possible',
    ]);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

describe('a model’s input', () => {
  const common = { prompt: 'A red fox', aspect_ratio: '16:9' };
  const frameImages = [
    { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
    { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
  ];

  test.each([
    ['the commonest', {}, { seed: 0 }, { ...common, duration: 5, seed: 0 }],
    [
      'frames under other names, and a tier',
      { first_frame: 'start_image', last_frame: 'end_image', mode: 'pro', audio: true, audio_field: 'audio' },
      { frameImages },
      {
        ...common,
        duration: 5,
        mode: 'pro',
        audio: true,
        start_image: 'https://a.example/1.png#linked',
        end_image: 'https://a.example/2.png#linked',
      },
    ],
    [
      'references, and no length',
      { duration: false, resolution: true },
      {
        inputReferences: [{ kind: 'image' as const, url: 'https://a.example/3.png' }],
        options: { negative_prompt: 'rain', prompt: 'other' },
      },
      {
        ...common,
        negative_prompt: 'rain',
        resolution: '720p',
        reference_images: ['https://a.example/3.png#linked'],
      },
    ],
  ])('has the names of its dialect: %s', async (_, dialect, change, input) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(201, { id: 'p1' }));
    await provider.submit({ ...job, dialect, ...change }, server.context('/v1'));
    expect(server.lastJson()).toEqual({ input });
  });
});
