import { describe, expect, test } from '@jest/globals';
import { openaiVideos as provider } from '../../../functions/videos/providers/openai-videos.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/videos';
const POLL = 'GET /v1/videos/video_1';
const ref = { id: 'video_1' };
const bearer = `Bearer ${KEY}`;

describe('a video', () => {
  test('is created, polled and found at the server’s address', async () => {
    await using server = await WireServer.open();
    const context = server.context('/v1');
    const video = { id: 'video_1', object: 'video', created_at: 1 };
    server.on(SUBMIT, json(200, { ...video, status: 'queued', progress: 0 }));
    server.on(
      POLL,
      json(200, { ...video, status: 'queued', progress: 0 }),
      json(200, { ...video, status: 'in_progress', progress: 40 }),
      json(200, { ...video, status: 'completed', progress: 100, error: null }),
    );
    const submission = await provider.submit(aProviderJob({ seed: 0, options: { fps: 24 } }), context);
    expect(submission).toEqual({ ref, upstreamId: 'video_1' });
    expect(server.requests[0]?.headers.authorization).toBe(bearer);
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      prompt: 'A red fox',
      seconds: '5',
      size: '1280x720',
      seed: 0,
      fps: 24,
    });
    expect(await provider.poll(ref, context)).toEqual({ state: 'queued', progress: 0 });
    expect(await provider.poll(ref, context)).toEqual({ state: 'running', progress: 40 });
    expect(await provider.poll(ref, context)).toEqual({
      state: 'succeeded',
      outputs: [
        {
          kind: 'url',
          url: `${server.origin}/v1/videos/video_1/content`,
          headers: { authorization: bearer },
        },
      ],
    });
  });

  test('goes with its first frame as a form, or inline, as the server’s encoding is', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'video_1', status: 'queued' }));
    const job = aProviderJob({
      frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1.png' }],
      options: { extra_params: { cfg: 2 } },
    });
    const context = server.context('/v1');
    await provider.submit(job, { ...context, settings: { ...context.settings, encoding: 'multipart' } });
    const { headers, body } = server.requests[0]!;
    const form = await new Response(body, {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
    expect(Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))).toEqual({
      model: 'model-1',
      prompt: 'A red fox',
      seconds: '5',
      size: '1280x720',
      extra_params: '{"cfg":2}',
    });
    const file = form.get('input_reference') as File;
    expect([file.type, await file.text()]).toEqual(['image/png', 'bytes of https://a.example/1.png']);

    await provider.submit(job, context);
    const inline = Buffer.from('bytes of https://a.example/1.png').toString('base64');
    expect(server.lastJson()).toMatchObject({
      input_reference: { image_url: `data:image/png;base64,${inline}` },
    });
  });

  test('needs no key if the stage says so', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 'video_1' }));
    const { apiKey: _, ...context } = server.context('/v1');
    await provider.submit(aProviderJob(), {
      ...context,
      settings: { ...context.settings, credential: 'none' },
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is deleted when it is cancelled', async () => {
    await using server = await WireServer.open();
    server.on(
      'DELETE /v1/videos/video_1',
      json(200, {}),
      json(200, { id: 'video_1', object: 'video.deleted', deleted: true }),
      json(200, { id: 'video_1', status: 'in_progress' }),
      json(200, { id: 'video_1', status: 'completed' }),
      json(404, {}),
      json(500, {}),
    );
    const cancel = () => provider.cancel?.(ref, server.context('/v1'));
    const outcomes = [];
    for (let answer = 0; answer < 5; answer++) outcomes.push(await cancel());
    expect(outcomes).toEqual(['cancelled', 'cancelled', 'cancelled', 'not_possible', 'not_possible']);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

describe('a state', () => {
  test.each([
    ['QUEUED', 'queued'],
    ['processing', 'running'],
    ['thinking_about_it', 'running'],
    ['SUCCESS', 'succeeded'],
    ['done', 'succeeded'],
    ['failure', 'failed'],
    ['cancelled', 'cancelled'],
    ['EXPIRED', 'expired'],
  ])('%s is %s, wrapped or not', async (status, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { status }), json(200, { code: 0, data: { id: 'video_1', status } }));
    expect(await provider.poll(ref, server.context('/v1'))).toMatchObject({ state });
    expect(await provider.poll(ref, server.context('/v1'))).toMatchObject({ state });
  });

  test('about another job is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'video_2', status: 'completed' }));
    await expect(provider.poll(ref, server.context('/v1'))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('with an unusable progress is read without it', async () => {
    await using server = await WireServer.open();
    server.on(
      POLL,
      json(200, { status: 'running', progress: '50%' }),
      json(200, { status: 'x', progress: -1 }),
    );
    expect(await provider.poll(ref, server.context('/v1'))).toEqual({ state: 'running' });
    expect(await provider.poll(ref, server.context('/v1'))).toEqual({ state: 'running' });
  });

  test.each([
    [
      { code: 'moderation_blocked', message: 'Unsafe' },
      { reason: 'Unsafe', moderated: true },
    ],
    [{ code: 'oom', message: 'GPU fell over' }, { reason: 'GPU fell over' }],
    [null, { reason: 'The provider reports the job as failed' }],
  ])('failed, with error %j, says why', async (error, said) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 'video_1', status: 'failed', error }));
    expect(await provider.poll(ref, server.context('/v1'))).toEqual({ state: 'failed', ...said });
  });
});

describe('the key', () => {
  test.each([
    [401, 'invalid_api_key'],
    [429, 'insufficient_quota'],
    [400, 'billing_hard_limit_reached'],
    [429, 'billing_not_active'],
  ])('or its account is at fault, where a %i says %s', async (status, code) => {
    await using server = await WireServer.open();
    server.on('POST /v1/videos', json(status, { error: { message: 'No', code } }));
    const submit = provider.submit(aProviderJob(), server.context('/v1'));
    await expect(submit).rejects.toMatchObject({ kind: 'credential' });
  });

  test.each([
    ['metadata', { metadata: { url: 'https://cdn.elsewhere.com/v.mp4' } }],
    ['video_url', { video_url: 'https://cdn.elsewhere.com/v.mp4' }],
    ['unsigned_urls', { unsigned_urls: ['https://cdn.elsewhere.com/v.mp4'] }],
  ])('does not go to another host named in %s', async (_, place) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { status: 'completed', ...place }));
    expect(await provider.poll(ref, server.context('/v1'))).toEqual({
      state: 'succeeded',
      outputs: [{ kind: 'url', url: 'https://cdn.elsewhere.com/v.mp4' }],
    });
  });

  test('goes to a path on the server itself', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { status: 'completed', url: '/files/v.mp4' }));
    expect(await provider.poll(ref, server.context('/v1'))).toMatchObject({
      outputs: [{ url: `${server.origin}/files/v.mp4`, headers: { authorization: bearer } }],
    });
  });
});
