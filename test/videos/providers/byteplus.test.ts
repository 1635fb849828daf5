import { describe, expect, test } from '@jest/globals';
import { byteplus as provider } from '../../../functions/videos/providers/byteplus.ts';
import { describeOddReplies } from './odd-replies.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /api/v3/contents/generations/tasks';
const POLL = 'GET /api/v3/contents/generations/tasks/cgt-1';
const ref = { id: 'cgt-1', micros_per_token: 0 };
const context = (server: WireServer) => server.context('/api/v3');

describe('a task', () => {
  test('is created, polled and billed by its tokens', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const dialect = { token_price_silent: 1.2, token_price_with_audio: 2.4 };
    const job = aProviderJob({ dialect, seed: 0, options: { watermark: false, model: 'other' } });
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
    [true, [], 7],
    [false, [], 6],
    [true, [{ kind: 'video' as const, url: 'https://a.example/v' }], 4.3],
    [true, [{ kind: 'audio' as const, url: 'https://a.example/a' }], 7],
  ])('with sound: %s, and references %j, has its price', async (generateAudio, inputReferences, price) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'cgt-1' }));
    const dialect = { token_price_silent: 6, token_price_with_audio: 7, token_price_from_video: 4.3 };
    const job = aProviderJob({ dialect, generateAudio, inputReferences });
    expect((await provider.submit(job, context(server))).ref).toEqual({
      id: 'cgt-1',
      micros_per_token: price,
    });
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

describeOddReplies({ provider, basePath: '/api/v3', submit: SUBMIT, poll: POLL, ref: () => ref });
