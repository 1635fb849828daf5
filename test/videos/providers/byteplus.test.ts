import { describe, expect, test } from '@jest/globals';
import { byteplus as provider } from '../../../functions/videos/providers/byteplus.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /api/v3/contents/generations/tasks';
const POLL = 'GET /api/v3/contents/generations/tasks/cgt-1';
const ref = { id: 'cgt-1', micros_per_token: 0 };
const context = (server: WireServer) => server.context('/api/v3');
const priced = (token: number) => ({ ...aProviderJob().tariff, token });

describe('a task', () => {
  test('is created, polled and billed by its tokens', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const job = aProviderJob({ tariff: priced(2.4), seed: 0, options: { watermark: false, model: 'other' } });
    const { ref } = await provider.submit(job, context(server));
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      content: [{ type: 'text', text: 'A red fox' }],
      ratio: '16:9',
      resolution: '720p',
      duration: 5,
      generate_audio: true,
      seed: 0,
      watermark: false,
    });
    const content = { video_url: 'https://ark.example/v.mp4' };
    const usage = { completion_tokens: 108_000, total_tokens: 108_000 };
    server.on(
      POLL,
      json(200, { id: 'cgt-1', status: 'queued', content: null }),
      json(200, { id: 'cgt-1', status: 'running' }),
      json(200, { id: 'cgt-1', status: 'polishing' }),
      json(200, { id: 'cgt-1', status: 'succeeded', content, usage }),
    );
    const states = [];
    for (let poll = 0; poll < 4; poll++) states.push(await provider.poll(ref, context(server)));
    expect(states).toEqual([
      { state: 'queued' },
      { state: 'running' },
      { state: 'running' },
      {
        state: 'succeeded',
        outputs: [{ kind: 'url', url: 'https://ark.example/v.mp4' }],
        costMicros: 259_200,
      },
    ]);
  });

  test('has the shape of its input, and no watermark, where nothing else is asked for', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const { aspectRatio: _, ...job } = aProviderJob();
    await provider.submit(job, context(server));
    expect(server.lastJson()).toMatchObject({ ratio: 'adaptive', watermark: false });
    await provider.submit(aProviderJob({ options: { watermark: true } }), context(server));
    expect(server.lastJson()).toMatchObject({ ratio: '16:9', watermark: true });
  });

  test('takes frames, and images, sounds and clips as references', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const frameImages = [{ frameType: 'last_frame' as const, url: 'https://a.example/l.png' }];
    const inputReferences = (['image', 'audio', 'video'] as const).map((kind) => ({
      kind,
      url: `https://a.example/${kind}`,
    }));
    await provider.submit(aProviderJob({ frameImages, inputReferences }), context(server));
    expect(server.lastJson()).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'image_url', image_url: { url: 'https://a.example/l.png#linked' }, role: 'last_frame' },
        { type: 'image_url', image_url: { url: 'https://a.example/image#linked' }, role: 'reference_image' },
        { type: 'audio_url', audio_url: { url: 'https://a.example/audio#linked' }, role: 'reference_audio' },
        { type: 'video_url', video_url: { url: 'https://a.example/video#linked' }, role: 'reference_video' },
      ],
    });
  });

  test.each([
    ['extend', 5],
    ['edit', -1],
  ] as const)('can %s a video, in its shape', async (continuation, duration) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const { aspectRatio: _, ...job } = aProviderJob();
    const source = { continuation, url: 'https://a.example/v.mp4' };
    await provider.submit({ ...job, source }, context(server));
    expect(server.lastJson()).toMatchObject({
      content: [
        { type: 'text' },
        { type: 'video_url', video_url: { url: 'https://a.example/v.mp4#linked' }, role: 'reference_video' },
      ],
      omni_reference_task_type: continuation,
      ratio: 'adaptive',
      duration,
    });
    await provider.submit(job, context(server));
    expect(server.lastJson()).not.toHaveProperty('omni_reference_task_type');
  });

  test.each([
    ['total_tokens', { total_tokens: 100_000, completion_tokens: 99_999 }, 430_000],
    ['completion_tokens alone', { completion_tokens: 100_000 }, 430_000],
    ['one count, where the other is zero', { total_tokens: 0, completion_tokens: 100_000 }, 430_000],
    ['no count', {}, undefined],
    ['count of nothing', { total_tokens: 0, completion_tokens: 0 }, undefined],
  ])('is charged by its %s, at the price of a token', async (_, usage, cost) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const { ref } = await provider.submit(aProviderJob({ tariff: priced(4.3) }), context(server));
    server.on(
      POLL,
      json(200, { id: 'cgt-1', status: 'succeeded', content: { video_url: 'https://v' }, usage }),
    );
    const state = await provider.poll(ref, context(server));
    expect('costMicros' in state ? state.costMicros : undefined).toBe(cost);
  });

  test('without a price for tokens is charged as the row says', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    expect((await provider.submit(aProviderJob(), context(server))).ref).toEqual({ id: 'cgt-1' });
  });

  test.each([
    [
      { status: 'succeeded', content: {} },
      { state: 'succeeded', outputs: [] },
    ],
    [
      { status: 'succeeded', content: { video_url: 'https://v' }, usage: { total_tokens: -5 } },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://v' }] },
    ],
    [
      { status: 'failed', error: { code: 'OutputVideoSensitiveContentDetected', message: 'Withheld' } },
      { state: 'failed', reason: 'Withheld', moderated: true },
    ],
    [
      { status: 'failed', error: { code: 'InternalError' } },
      { state: 'failed', reason: 'InternalError' },
    ],
    [{ status: 'expired' }, { state: 'expired', reason: 'The provider reports the job as expired' }],
    [{ status: 'cancelled' }, { state: 'cancelled', reason: 'The provider reports the job as cancelled' }],
  ])('%j gives that end', async (task, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'cgt-1', ...task }));
    expect(await provider.poll({ ...ref, micros_per_token: 1 }, context(server))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'cgt-2', status: 'succeeded' }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is deleted while it waits', async () => {
    await using server = await WireServer.open();
    server.on(
      'DELETE /api/v3/contents/generations/tasks/cgt-1',
      json(200, {}),
      json(409, { error: { code: 'InvalidAction.RunningTaskDeletion' } }),
      json(503, {}),
    );
    const cancel = () => provider.cancel?.(ref, context(server));
    expect([await cancel(), await cancel()]).toEqual(['cancelled', 'not_possible']);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

test.each([
  [400, 'InputTextSensitiveContentDetected', 'moderated'],
  [404, 'ModelNotOpen', 'credential'],
  [403, 'AccountOverdueError', 'credential'],
  [429, 'QuotaExceeded', 'rate_limited'],
  [400, 'InvalidParameter', 'refused'],
])('a submit answered with %i %s is %s', async (status, code, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { error: { code, message: 'No' } }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});
