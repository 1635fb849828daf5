import { describe, expect, test } from '@jest/globals';
import { fal as provider } from '../../../functions/videos/providers/fal.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const MODEL = 'fal-ai/kling-video/v3/standard/text-to-video';
const job = aProviderJob({ upstreamModel: MODEL });
const REQUESTS = '/fal-ai/kling-video/requests/req-1';
const refAt = (origin: string) => ({
  id: 'req-1',
  status: `${origin}${REQUESTS}/status`,
  response: `${origin}${REQUESTS}`,
  cancel: `${origin}${REQUESTS}/cancel`,
});
const completed = json(200, { status: 'COMPLETED', request_id: 'req-1' });

describe('a request', () => {
  test('is queued, followed by the addresses that fal names, and read at the end', async () => {
    await using server = await WireServer.open();
    const context = server.context('');
    const named = {
      status_url: `${server.origin}/moved/status?shard=1`,
      response_url: `${server.origin}/moved`,
      cancel_url: `${server.origin}/moved/cancel`,
    };
    server.on(`POST /${MODEL}`, json(200, { status: 'IN_QUEUE', request_id: 'req-1', ...named }));
    const { ref, upstreamId } = await provider.submit(job, context);
    expect(ref).toEqual({
      id: 'req-1',
      status: named.status_url,
      response: named.response_url,
      cancel: named.cancel_url,
    });
    expect(upstreamId).toBe('req-1');
    expect(server.requests[0]?.headers.authorization).toBe(`Key ${KEY}`);

    server.on(
      'GET /moved/status?shard=1',
      json(202, { status: 'IN_QUEUE', queue_position: 2 }),
      json(202, { status: 'IN_PROGRESS' }),
      json(202, { status: 'WARMING_UP' }),
      completed,
    );
    server.on('GET /moved', json(200, { video: { url: 'https://v3.fal.media/a.mp4' }, seed: 1 }));
    const states = [];
    for (let poll = 0; poll < 4; poll++) states.push(await provider.poll(ref, context));
    expect(states).toEqual([
      { state: 'queued' },
      { state: 'running' },
      { state: 'running' },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://v3.fal.media/a.mp4' }] },
    ]);
  });

  test('is sent to fal, whatever its model is called', async () => {
    await using server = await WireServer.open();
    server.on('POST /acme:veo', json(200, { request_id: 'req-1' }));
    const { ref } = await provider.submit(aProviderJob({ upstreamModel: 'acme:veo' }), server.context(''));
    expect(ref).toMatchObject({ response: `${server.origin}/acme:veo/requests/req-1` });
  });

  test.each([
    ['absent', {}],
    ['of another host', { status_url: 'https://evil.example/s', response_url: 'https://evil.example/r' }],
    ['no addresses', { status_url: 7, cancel_url: 'nonsense' }],
  ])('keeps its key from addresses that are %s', async (_, named) => {
    await using server = await WireServer.open();
    server.on(`POST /${MODEL}`, json(200, { request_id: 'req-1', ...named }));
    expect((await provider.submit(job, server.context(''))).ref).toEqual(refAt(server.origin));
  });

  test('can be cancelled', async () => {
    await using server = await WireServer.open();
    server.on(
      `PUT ${REQUESTS}/cancel`,
      json(202, {}),
      json(400, { status: 'ALREADY_COMPLETED' }),
      json(500, {}),
    );
    const cancel = () => provider.cancel?.(refAt(server.origin), server.context(''));
    expect(await cancel()).toBe('requested');
    expect(await cancel()).toBe('not_possible');
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

describe('a model’s input', () => {
  const frames = [
    { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
    { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
  ];
  const veo = {
    duration: 'seconds',
    resolution: true,
    audio: true,
    first_frame_model: 'fal-ai/veo3.1/image-to-video',
    both_frames_model: 'fal-ai/veo3.1/first-last-frame-to-video',
    first_of_both: 'first_frame_url',
    last_frame: 'last_frame_url',
    reference_model: 'fal-ai/veo3.1/reference-to-video',
  };
  const common = { prompt: 'A red fox', aspect_ratio: '16:9' };

  test('has the names and the spelling of its model', async () => {
    await using server = await WireServer.open();
    server.on(`POST /${MODEL}`, json(200, { request_id: 'req-1' }));
    const inputReferences = (['image', 'audio', 'video', 'image'] as const).map((kind, i) => ({
      kind,
      url: `https://a.example/${i}`,
    }));
    const { aspectRatio: _, ...shapeless } = aProviderJob({
      upstreamModel: MODEL,
      inputReferences,
      resolution: '768p',
      generateAudio: false,
      dialect: {
        duration: 'number',
        resolution: 'upper',
        audio: true,
        audio_field: 'audio',
        references: 'reference_image_urls',
        video_references: 'reference_video_urls',
      },
    });
    await provider.submit(shapeless, server.context(''));
    expect(server.lastJson()).toEqual({
      prompt: 'A red fox',
      duration: 5,
      resolution: '768P',
      audio: false,
      reference_image_urls: ['https://a.example/0#linked', 'https://a.example/3#linked'],
      audio_urls: ['https://a.example/1#linked'],
      reference_video_urls: ['https://a.example/2#linked'],
    });
  });

  test.each([
    ['the commonest', {}, {}, MODEL, { ...common, duration: '5' }],
    ['lengths as numbers', { duration: 'number' }, { seed: 0 }, MODEL, { ...common, duration: 5, seed: 0 }],
    ['one length', { duration: 'none' }, {}, MODEL, common],
    [
      'a resolution in lines',
      { resolution: 'lines' },
      { resolution: '4K' as const, width: 2160, height: 3840 },
      MODEL,
      { ...common, duration: '5', resolution: '2160p' },
    ],
    [
      'options that cannot change what is asked',
      {},
      { options: { prompt: 'other', cfg_scale: 1 } },
      MODEL,
      { ...common, duration: '5', cfg_scale: 1 },
    ],
    [
      'a first frame',
      veo,
      { frameImages: frames.slice(0, 1) },
      veo.first_frame_model,
      {
        ...common,
        duration: '5s',
        resolution: '720p',
        generate_audio: true,
        image_url: 'https://a.example/1.png#linked',
      },
    ],
    [
      'both frames',
      veo,
      { frameImages: frames },
      veo.both_frames_model,
      {
        ...common,
        duration: '5s',
        resolution: '720p',
        generate_audio: true,
        first_frame_url: 'https://a.example/1.png#linked',
        last_frame_url: 'https://a.example/2.png#linked',
      },
    ],
    [
      'references',
      veo,
      { inputReferences: [{ kind: 'image' as const, url: 'https://a.example/3.png' }] },
      veo.reference_model,
      {
        ...common,
        duration: '5s',
        resolution: '720p',
        generate_audio: true,
        image_urls: ['https://a.example/3.png#linked'],
      },
    ],
  ])('has the shape of its dialect: %s', async (_, dialect, change, model, input) => {
    await using server = await WireServer.open();
    server.on(`POST /${model}`, json(200, { request_id: 'req-1' }));
    await provider.submit({ ...job, dialect, ...change }, server.context(''));
    expect(server.lastJson()).toEqual(input);
  });

  test('cannot have a last frame alone', async () => {
    await using server = await WireServer.open();
    const submit = provider.submit({ ...job, frameImages: frames.slice(1) }, server.context(''));
    await expect(submit).rejects.toMatchObject({ kind: 'refused' });
    expect(server.requests).toEqual([]);
  });
});

describe('the result of a completed request', () => {
  const failed = (reason: RegExp) => ({ state: 'failed', reason: expect.stringMatching(reason) });
  const violation = [{ loc: ['body', 'prompt'], msg: 'Flagged', type: 'content_policy_violation' }];

  test.each([
    [
      'several videos',
      json(200, { videos: [{ url: 'https://a/1' }, { url: 'https://a/2' }] }),
      {
        state: 'succeeded',
        outputs: [
          { kind: 'url', url: 'https://a/1' },
          { kind: 'url', url: 'https://a/2' },
        ],
      },
    ],
    ['no video', json(200, { images: [] }), { state: 'succeeded', outputs: [] }],
    ['an empty address', json(200, { video: { url: '' } }), { state: 'succeeded', outputs: [] }],
    ['moderation', json(422, { detail: violation }), { ...failed(/Flagged/), moderated: true }],
    ['a refusal', json(422, { detail: [{ msg: 'Too long', type: 'value_error' }] }), failed(/422: Too long/)],
    [
      'a failed model',
      json(500, { detail: [{ msg: 'CUDA', type: 'internal_server_error' }] }),
      failed(/CUDA/),
    ],
  ])('may be %s', async (_, answer, state) => {
    await using server = await WireServer.open();
    server.on(`GET ${REQUESTS}/status`, completed);
    server.on(`GET ${REQUESTS}`, answer);
    expect(await provider.poll(refAt(server.origin), server.context(''))).toEqual(state);
  });

  test.each([
    ['HTML', 'ambiguous', (response: import('node:http').ServerResponse) => response.end('<html>')],
    ['a 500 without a reason', 'ambiguous', json(500, {})],
    ['a 429', 'rate_limited', json(429, {})],
    ['a 401', 'credential', json(401, { detail: 'Invalid key' })],
  ])('that is %s is requested again', async (_, kind, answer) => {
    await using server = await WireServer.open();
    server.on(`GET ${REQUESTS}/status`, completed);
    server.on(`GET ${REQUESTS}`, answer as never);
    const poll = provider.poll(refAt(server.origin), server.context(''));
    await expect(poll).rejects.toMatchObject({ kind });
  });

  test('about another request is refused', async () => {
    await using server = await WireServer.open();
    server.on(`GET ${REQUESTS}/status`, json(200, { status: 'COMPLETED', request_id: 'req-2' }));
    const poll = provider.poll(refAt(server.origin), server.context(''));
    await expect(poll).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test('an account without funds counts as a problem of its credential', async () => {
  await using server = await WireServer.open();
  server.on(`POST /${MODEL}`, json(403, { detail: 'User is locked. Reason: Exhausted balance.' }));
  await expect(provider.submit(job, server.context(''))).rejects.toMatchObject({ kind: 'credential' });
});
