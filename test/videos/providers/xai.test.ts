import { describe, expect, test } from '@jest/globals';
import { xai as provider } from '../../../functions/videos/providers/xai.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/videos/generations';
const POLL = 'GET /v1/videos/r1';
const ref = { request_id: 'r1' };
const context = (server: WireServer) => server.context('/v1');

describe('a generation', () => {
  test('is asked for and polled until it is done', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { request_id: 'r1' }));
    expect(await provider.submit(aProviderJob(), context(server))).toEqual({ ref, upstreamId: 'r1' });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      prompt: 'A red fox',
      duration: 5,
      aspect_ratio: '16:9',
      resolution: '720p',
    });
    const video = { url: 'https://vidgen.x.ai/v.mp4', duration: 5, respect_moderation: true };
    server.on(
      POLL,
      (response) => response.writeHead(202).end(),
      json(202, { progress: 0 }),
      json(200, { status: 'pending', progress: 45 }),
      json(200, { status: 'pondering' }),
      json(200, { status: 'done', video, usage: { cost_in_usd_ticks: 3_500_000_000 } }),
    );
    const states = [];
    for (let poll = 0; poll < 5; poll++) states.push(await provider.poll(ref, context(server)));
    expect(states).toEqual([
      { state: 'running' },
      { state: 'running', progress: 0 },
      { state: 'running', progress: 45 },
      { state: 'running' },
      {
        state: 'succeeded',
        outputs: [{ kind: 'url', url: 'https://vidgen.x.ai/v.mp4' }],
        costMicros: 350_000,
      },
    ]);
  });

  test('takes both frames, sounds as references and a silent video, where the model does', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { request_id: 'r1' }));
    const frameImages = [
      { frameType: 'last_frame' as const, url: 'https://a.example/l.png' },
      { frameType: 'first_frame' as const, url: 'https://a.example/f.png' },
    ];
    const dialect = { audio: true };
    await provider.submit(aProviderJob({ frameImages, dialect, generateAudio: false }), context(server));
    expect(server.lastJson()).toMatchObject({
      image: { url: 'https://a.example/f.png#linked' },
      last_frame: { url: 'https://a.example/l.png#linked' },
      generate_audio: false,
    });
    const inputReferences = [{ kind: 'audio' as const, url: 'https://a.example/a.mp3' }];
    await provider.submit(aProviderJob({ inputReferences }), context(server));
    expect(server.lastJson()).toMatchObject({
      reference_audios: [{ url: 'https://a.example/a.mp3#linked' }],
    });
    expect(server.lastJson()).not.toHaveProperty('generate_audio');
  });

  test('takes a first frame, or references', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { request_id: 'r1' }));
    const frameImages = [{ frameType: 'first_frame' as const, url: 'https://a.example/1.png' }];
    await provider.submit(aProviderJob({ frameImages }), context(server));
    expect(server.lastJson()).toMatchObject({ image: { url: 'https://a.example/1.png#linked' } });
    const inputReferences = [{ kind: 'image' as const, url: 'https://a.example/2.png' }];
    await provider.submit(aProviderJob({ inputReferences }), context(server));
    expect(server.lastJson()).toMatchObject({
      reference_images: [{ url: 'https://a.example/2.png#linked' }],
    });
  });

  test.each([
    ['extend', 'extensions', { duration: 5 }],
    ['edit', 'edits', {}],
  ] as const)('that is to %s a video is asked for at its own address', async (continuation, path, more) => {
    await using server = await WireServer.open();
    server.on(`POST /v1/videos/${path}`, json(200, { request_id: 'r1' }));
    const source = { continuation, url: 'https://a.example/v.mp4' };
    const submission = await provider.submit(aProviderJob({ source }), context(server));
    expect(submission).toEqual({ ref, upstreamId: 'r1' });
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      prompt: 'A red fox',
      video: { url: 'https://a.example/v.mp4#linked' },
      ...more,
    });
  });

  test.each([
    [{ status: 'done' }, { state: 'succeeded', outputs: [] }],
    [
      { status: 'done', video: { url: '' } },
      { state: 'succeeded', outputs: [] },
    ],
    [
      { status: 'done', video: { url: 'https://v', respect_moderation: false } },
      {
        state: 'failed',
        reason: 'The provider withheld the video',
        moderated: true,
      },
    ],
    [
      { status: 'failed', error: 'GPU fell over' },
      { state: 'failed', reason: 'GPU fell over' },
    ],
    [
      { status: 'failed', error: { message: 'Rejected by content policy' } },
      { state: 'failed', reason: 'Rejected by content policy', moderated: true },
    ],
    [{ status: 'expired' }, { state: 'expired', reason: 'The provider reports the job as expired' }],
  ])('%j ends so', async (generation, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, generation));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });
});

test.each([
  [400, { code: 'invalid', error: 'Content policy violation' }, 'moderated', /Content policy violation/],
  [400, { code: 'invalid', error: 'duration must be at most 15' }, 'refused', /at most 15/],
])('a submit answered with %i %j is %s', async (status, body, kind, message) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, body));
  const submit = provider.submit(aProviderJob(), context(server));
  await expect(submit).rejects.toMatchObject({ kind, message: expect.stringMatching(message) });
});

describe('a key', () => {
  test('that is wrong is refused with a 400, which is no fault of the request', async () => {
    await using server = await WireServer.open();
    const code = 'Client specified an invalid argument';
    const error = 'Incorrect API key provided: sk***et. You can obtain an API key from https://console.x.ai.';
    server.on(SUBMIT, json(400, { code, error }));
    const submit = provider.submit(aProviderJob(), context(server));
    await expect(submit).rejects.toMatchObject({ kind: 'credential' });
  });

  test.each(['api_key_blocked', 'api_key_disabled', 'team_blocked'])('with %s is rejected', async (flag) => {
    await using server = await WireServer.open();
    server.on('GET /v1/api-key', json(200, { api_key_id: 'k1', [flag]: true }));
    await expect(provider.checkKey?.(context(server))).rejects.toMatchObject({ kind: 'credential' });
  });
});
