import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { kling as provider } from '../../../functions/videos/providers/kling.ts';
import { DecryptedKey } from '../../../functions/videos/providers/provider.ts';
import { aProviderJob, json, KEY, START, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/videos/text2video';
const POLL = 'GET /v1/videos/text2video/t1';
const ref = { path: 'v1/videos/text2video', task_id: 't1' };
const job = aProviderJob({ dialect: { mode: 'std', sound: true } });
const created = json(200, { code: 0, data: { task_id: 't1', task_status: 'submitted' } });
const task = (data: object) => json(200, { code: 0, data: { task_id: 't1', ...data } });

describe('a task', () => {
  test('is created under our id, and polled until it succeeds, in any spelling', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, created);
    expect(await provider.submit(job, server.context(''))).toEqual({ ref, upstreamId: 't1' });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      model_name: 'model-1',
      prompt: 'A red fox',
      duration: '5',
      mode: 'std',
      aspect_ratio: '16:9',
      sound: 'on',
      external_task_id: job.id,
    });
    const task_result = { videos: [{ id: 'v', url: 'https://k.example/v.mp4', duration: '5' }] };
    server.on(
      POLL,
      task({ task_status: 'submitted' }),
      task({ task_status: 'processing' }),
      task({ task_status: 'polishing' }),
      task({ task_status: 'succeed', task_result }),
      task({ task_status: 'succeeded', task_result }),
    );
    const states = [];
    for (let poll = 0; poll < 5; poll++) states.push(await provider.poll(ref, server.context('')));
    const done = { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://k.example/v.mp4' }] };
    expect(states).toEqual([{ state: 'queued' }, { state: 'running' }, { state: 'running' }, done, done]);
  });

  test('with frames uses another path, and its sound may be off', async () => {
    await using server = await WireServer.open();
    server.on('POST /v1/videos/image2video', created);
    const frameImages = [
      { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
      { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
    ];
    const { ref } = await provider.submit({ ...job, frameImages, generateAudio: false }, server.context(''));
    expect(ref).toEqual({ path: 'v1/videos/image2video', task_id: 't1' });
    expect(server.lastJson()).toMatchObject({
      sound: 'off',
      image: 'https://a.example/1.png#linked',
      image_tail: 'https://a.example/2.png#linked',
    });
  });

  test('is sent with a signed token if the key is a pair', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, created);
    await provider.submit(job, server.context('', { apiKey: new DecryptedKey('access:secret') }));
    const [, token = ''] = server.requests[0]?.headers.authorization?.split(' ') ?? [];
    const [header, claims, signature] = token.split('.');
    const seconds = START.getTime() / 1000;
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toEqual({
      iss: 'access',
      exp: seconds + 1800,
      nbf: seconds - 5,
    });
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${header}.${claims}`).digest('base64url'));
  });

  test.each([
    [{ task_status: 'succeed' }, { state: 'succeeded', outputs: [] }],
    [{ task_status: 'failed' }, { state: 'failed', reason: 'The provider reports the job as failed' }],
    [
      { task_status: 'failed', task_status_msg: 'Failure to pass the risk control system' },
      { state: 'failed', reason: 'Failure to pass the risk control system', moderated: true },
    ],
  ])('%j ends so', async (data, state) => {
    await using server = await WireServer.open();
    server.on(POLL, task(data));
    expect(await provider.poll(ref, server.context(''))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { code: 0, data: { task_id: 't2', task_status: 'succeed' } }));
    await expect(provider.poll(ref, server.context(''))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a submit whose answer was lost', () => {
  const lookup = (server: WireServer) => provider.lookup?.(job.id, server.context(''));

  test('is found under our id, with frames or without', async () => {
    await using server = await WireServer.open();
    server.on(`GET /v1/videos/text2video/${job.id}`, created);
    expect(await lookup(server)).toEqual({ ref, upstreamId: 't1' });
    server.on(`GET /v1/videos/text2video/${job.id}`, json(404, { code: 1203 }));
    server.on(`GET /v1/videos/image2video/${job.id}`, created);
    expect(await lookup(server)).toMatchObject({ ref: { path: 'v1/videos/image2video' } });
  });

  test('does not count as absent if it is not found, and is looked up again if nobody answers', async () => {
    await using server = await WireServer.open();
    expect(await lookup(server)).toBe('unknown');
    server.on(`GET /v1/videos/text2video/${job.id}`, json(502, {}));
    await expect(lookup(server)).rejects.toMatchObject({ name: 'ProviderError' });
  });
});

describe('a task of a model that has an address of its own', () => {
  const dialect = { wire: 'by-path', sound: true };
  const byPath = aProviderJob({ upstreamModel: 'kling-3.0', dialect, resolution: '4K' });
  const ref = { path: 'tasks', task_id: 't1' };
  const created = json(200, { code: 0, data: { id: 't1', status: 'submitted', external_id: byPath.id } });
  const POLL = 'GET /tasks?task_ids=t1';
  const tasks = (...data: object[]) => json(200, { code: 0, data });

  test('is created under our id, and polled until it succeeds', async () => {
    await using server = await WireServer.open();
    server.on('POST /text-to-video/kling-3.0', created);
    expect(await provider.submit(byPath, server.context(''))).toEqual({ ref, upstreamId: 't1' });
    expect(server.lastJson()).toEqual({
      prompt: 'A red fox',
      settings: { resolution: '4k', duration: 5, aspect_ratio: '16:9', audio: 'native' },
      options: { external_task_id: byPath.id },
    });
    const outputs = [
      { type: 'image', url: 'https://k.example/i.png' },
      { type: 'video', url: 'https://k.example/v.mp4', duration: '5.04' },
    ];
    server.on(
      POLL,
      tasks({ id: 't1', status: 'submitted' }),
      tasks({ id: 't1', status: 'processing' }),
      tasks({ id: 't0', status: 'failed' }, { id: 't1', status: 'succeeded', outputs }),
    );
    const states = [];
    for (let poll = 0; poll < 3; poll++) states.push(await provider.poll(ref, server.context('')));
    expect(states).toEqual([
      { state: 'queued' },
      { state: 'running' },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://k.example/v.mp4' }] },
    ]);
  });

  test('has frames among its contents, and their shape', async () => {
    await using server = await WireServer.open();
    server.on('POST /image-to-video/kling-3.0', created);
    const { aspectRatio: _, ...shapeless } = byPath;
    const frameImages = (['first_frame', 'last_frame'] as const).map((frameType) => ({
      frameType,
      url: `https://a.example/${frameType}`,
    }));
    await provider.submit({ ...shapeless, frameImages, generateAudio: false }, server.context(''));
    expect(server.lastJson()).toEqual({
      contents: [
        { type: 'prompt', text: 'A red fox' },
        { type: 'first_frame', url: 'https://a.example/first_frame#linked' },
        { type: 'last_frame', url: 'https://a.example/last_frame#linked' },
      ],
      settings: { resolution: '4k', duration: 5, audio: 'off' },
      options: { external_task_id: byPath.id },
    });
  });

  test('takes references of kinds, at the address of models that take any', async () => {
    await using server = await WireServer.open();
    server.on('POST /omni-video/kling-3.0', created);
    const omni = { ...byPath, dialect: { wire: 'omni', sound: true } };
    await provider.submit(omni, server.context(''));
    expect(server.lastJson()).toMatchObject({ contents: [{ type: 'prompt', text: 'A red fox' }] });
    const inputReferences = (['image', 'video'] as const).map((kind) => ({
      kind,
      url: `https://a.example/${kind}`,
    }));
    await provider.submit({ ...omni, inputReferences }, server.context(''));
    expect(server.lastJson()).toMatchObject({
      contents: [
        { type: 'prompt', text: 'A red fox' },
        { type: 'refer_image', url: 'https://a.example/image#linked' },
        { type: 'feature_video', url: 'https://a.example/video#linked' },
      ],
      settings: { aspect_ratio: '16:9' },
    });
  });

  test.each([
    [true, 'original'],
    [false, 'off'],
  ])('changes a video, which keeps its length and shape; with sound: %s', async (generateAudio, audio) => {
    await using server = await WireServer.open();
    server.on('POST /omni-video/kling-3.0', created);
    const { aspectRatio: _, ...shapeless } = byPath;
    const source = { continuation: 'edit' as const, url: 'https://a.example/v' };
    for (const wire of ['omni', 'by-field']) {
      const edited = { ...shapeless, dialect: { wire }, source, generateAudio };
      expect(await provider.submit(edited, server.context(''))).toEqual({ ref, upstreamId: 't1' });
      expect(server.lastJson()).toEqual({
        contents: [
          { type: 'prompt', text: 'A red fox' },
          { type: 'base_video', url: 'https://a.example/v#linked' },
        ],
        settings: { resolution: '4k', audio, multi_shot: false },
        options: { external_task_id: byPath.id },
      });
    }
  });

  test.each([
    [
      'dollars',
      [
        { charge_type: 'cash', amount: '0.42', currency: 'USD' },
        { amount: 0.1, currency: 'USD' },
      ],
      520_000,
    ],
    ['units', [{ charge_type: 'pack', amount: '3', currency: 'UNIT' }], undefined],
    ['what is no number', [{ amount: 'much', currency: 'USD' }], undefined],
    ['an empty amount', [{ amount: '', currency: 'USD' }], undefined],
    ['no amount', [{ amount: null, currency: 'USD' }], undefined],
    ['a list of amounts', [{ amount: [1], currency: 'USD' }], undefined],
    ['more than a number holds', [{ amount: '1e999', currency: 'USD' }], undefined],
    ['less than nothing', [{ amount: '-1', currency: 'USD' }], undefined],
    [
      'another currency beside dollars',
      [
        { amount: '1', currency: 'USD' },
        { amount: '1', currency: 'CNY' },
      ],
      undefined,
    ],
    ['nothing', [], undefined],
  ])('is charged for %s', async (_, billing, cost) => {
    await using server = await WireServer.open();
    server.on(POLL, tasks({ id: 't1', status: 'succeeded', outputs: [], billing }));
    const state = await provider.poll(ref, server.context(''));
    expect('costMicros' in state ? state.costMicros : undefined).toBe(cost);
  });

  test('may fail, and may be missing in the list for a moment', async () => {
    await using server = await WireServer.open();
    server.on(POLL, tasks({ id: 't1', status: 'failed', message: 'Refused by risk control' }), tasks());
    expect(await provider.poll(ref, server.context(''))).toEqual({
      state: 'failed',
      reason: 'Refused by risk control',
      moderated: true,
    });
    await expect(provider.poll(ref, server.context(''))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is found under our id after a lost answer, and is never called absent', async () => {
    await using server = await WireServer.open();
    const lookup = () => provider.lookup?.(byPath.id, server.context(''));
    server.on(
      `GET /tasks?external_task_ids=${byPath.id}`,
      tasks({ id: 't1', status: 'submitted' }),
      tasks(),
      json(503, {}),
    );
    expect(await lookup()).toEqual({ ref, upstreamId: 't1' });
    expect(await lookup()).toBe('unknown');
    await expect(lookup()).rejects.toMatchObject({ name: 'ProviderError' });
  });
});

test.each([
  [429, 1303, 'rate_limited'],
  [400, 1301, 'moderated'],
  [400, 1300, 'moderated'],
  [429, 1304, 'credential'],
  [401, 1002, 'credential'],
  [429, 1102, 'credential'],
  [400, 1201, 'refused'],
  [200, 1303, 'rate_limited'],
])('a submit answered with %i and code %i is %s', async (status, code, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { code, message: 'No', request_id: 'r' }));
  await expect(provider.submit(job, server.context(''))).rejects.toMatchObject({ kind });
});
