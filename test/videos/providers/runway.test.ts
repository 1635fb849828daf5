import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { runway as provider } from '../../../functions/videos/providers/runway.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v1/text_to_video';
const POLL = 'GET /v1/tasks/t1';
const ref = { id: 't1' };
const context = (server: WireServer) => server.context('/v1');
const shapeSchema = v.object({ ratio: v.optional(v.string()), resolution: v.optional(v.string()) });

describe('a task', () => {
  test('is created under a version, polled at the pace asked for, and billed in credits', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 't1' }));
    expect(await provider.submit(aProviderJob({ seed: 0 }), context(server))).toEqual({
      ref,
      upstreamId: 't1',
    });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-runway-version': '2024-11-06',
    });
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      promptText: 'A red fox',
      ratio: '1280:720',
      duration: 5,
      seed: 0,
    });
    server.on(
      POLL,
      json(200, { id: 't1', status: 'PENDING', estimatedCost: { credits: 60 } }),
      json(200, { id: 't1', status: 'THROTTLED' }),
      json(200, { id: 't1', status: 'RUNNING', progress: 0.425 }),
      json(200, { id: 't1', status: 'REWINDING' }),
      json(200, { id: 't1', status: 'SUCCEEDED', output: ['https://r.example/v'], cost: { credits: 60 } }),
    );
    const states = [];
    for (let poll = 0; poll < 5; poll++) states.push(await provider.poll(ref, context(server)));
    expect(states).toEqual([
      { state: 'queued', retryAfterSeconds: 10 },
      { state: 'queued', retryAfterSeconds: 10 },
      { state: 'running', retryAfterSeconds: 10, progress: 43 },
      { state: 'running', retryAfterSeconds: 10 },
      { state: 'succeeded', outputs: [{ kind: 'url', url: 'https://r.example/v' }], costMicros: 600_000 },
    ]);
  });

  test('takes sound and references of each kind, where the model does', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 't1' }));
    const inputReferences = (['image', 'audio', 'video', 'image'] as const).map((kind, i) => ({
      kind,
      url: `https://a.example/${i}`,
    }));
    const job = aProviderJob({ dialect: { audio: true }, generateAudio: false, inputReferences });
    await provider.submit(job, context(server));
    expect(server.lastJson()).toMatchObject({
      audio: false,
      references: [{ uri: 'https://a.example/0#linked' }, { uri: 'https://a.example/3#linked' }],
      referenceAudio: [{ type: 'audio', uri: 'https://a.example/1#linked' }],
      referenceVideos: [{ type: 'video', uri: 'https://a.example/2#linked' }],
    });
  });

  test.each([
    [{}, ['720p', '16:9', 1280, 720], { ratio: '1280:720' }],
    [{}, ['480p', '16:9', 854, 480], { ratio: '854:480' }],
    [{ sizes: 'seedance-2.0' }, ['480p', '16:9', 854, 480], { ratio: '864:496' }],
    [{ sizes: 'seedance-2.5' }, ['480p', '16:9', 854, 480], { ratio: '854:480' }],
    [{ sizes: 'seedance-2.5' }, ['1080p', '4:3', 1440, 1080], { ratio: '1664:1248' }],
    [{ sizes: 'gen-4' }, ['720p', '1:1', 720, 720], { ratio: '960:960' }],
    [{ sizes: 'wan-3.0' }, ['480p', '9:16', 480, 854], { ratio: '480:832' }],
    [{ sizes: 'wan-3.0' }, ['480p', undefined, 854, 480], { ratio: 'auto_480p' }],
    [{ shape: 'names' }, ['2K', '21:9', 3360, 1440], { ratio: '21:9', resolution: '2k' }],
    [{ shape: 'names' }, ['768p', undefined, 1366, 768], { resolution: '768p' }],
  ] as const)(
    'of a model with %j says %j as %j',
    async (dialect, [resolution, ratio, width, height], said) => {
      await using server = await WireServer.open();
      server.on(SUBMIT, json(200, { id: 't1' }));
      const { aspectRatio: _, ...job } = aProviderJob({ dialect, resolution, width, height });
      await provider.submit(
        { ...job, ...(ratio === undefined ? {} : { aspectRatio: ratio }) },
        context(server),
      );
      const { ratio: sent, resolution: named } = v.parse(shapeSchema, server.lastJson());
      expect({ ratio: sent, resolution: named }).toEqual({
        ratio: undefined,
        resolution: undefined,
        ...said,
      });
    },
  );

  test('with frames is another one', async () => {
    await using server = await WireServer.open();
    server.on('POST /v1/image_to_video', json(200, { id: 't1' }));
    const frameImages = [
      { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
      { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
    ];
    await provider.submit(aProviderJob({ frameImages }), context(server));
    expect(server.lastJson()).toMatchObject({
      promptImage: [
        { uri: 'https://a.example/1.png#linked', position: 'first' },
        { uri: 'https://a.example/2.png#linked', position: 'last' },
      ],
    });
  });

  test('changes a video, which keeps its length and shape', async () => {
    await using server = await WireServer.open();
    server.on('POST /v1/video_to_video', json(200, { id: 't1' }));
    const source = { continuation: 'edit' as const, url: 'https://a.example/v' };
    const job = aProviderJob({ upstreamModel: 'aleph2', source, seed: 7 });
    expect(await provider.submit(job, context(server))).toEqual({ ref, upstreamId: 't1' });
    expect(server.lastJson()).toEqual({
      model: 'aleph2',
      promptText: 'A red fox',
      seed: 7,
      videoUri: 'https://a.example/v#linked',
    });
  });

  test.each([
    [{ credits: 60 }, { cost: { credits: 45 } }, 450_000],
    [{ credits: 60 }, {}, 600_000],
    [{ credits: 60 }, { cost: { credits: 'many' } }, 600_000],
    [{ credits: 60 }, { cost: { credits: 0 } }, 0],
    [{ credits: -60 }, {}, undefined],
    [undefined, {}, undefined],
  ])('with an estimate of %j that ends with %j is charged %s', async (estimatedCost, end, cost) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { id: 't1', estimatedCost }));
    server.on(POLL, json(200, { id: 't1', status: 'SUCCEEDED', output: ['https://r.example/v'], ...end }));
    const { ref: kept } = await provider.submit(aProviderJob(), context(server));
    const state = await provider.poll(kept, context(server));
    expect('costMicros' in state ? state.costMicros : undefined).toBe(cost);
  });

  test.each([
    [{ status: 'SUCCEEDED' }, { state: 'succeeded', outputs: [] }],
    [
      { status: 'SUCCEEDED', output: [''], cost: { credits: -1 } },
      { state: 'succeeded', outputs: [] },
    ],
    [
      { status: 'FAILED', failure: 'Unsafe', failureCode: 'SAFETY.INPUT.TEXT', cost: { credits: 0 } },
      { state: 'failed', reason: 'Unsafe', moderated: true },
    ],
    [
      { status: 'FAILED', failureCode: 'INTERNAL' },
      { state: 'failed', reason: 'INTERNAL' },
    ],
    [
      { status: 'CANCELLED', cost: { credits: 5 } },
      { state: 'cancelled', reason: 'The provider reports the job as cancelled', costMicros: 50_000 },
    ],
    [{ status: 'CANCELLED' }, { state: 'cancelled', reason: 'The provider reports the job as cancelled' }],
  ])('%j ends so', async (task, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 't1', ...task }));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { id: 't2', status: 'SUCCEEDED' }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is deleted when it is cancelled', async () => {
    await using server = await WireServer.open();
    server.on(
      'DELETE /v1/tasks/t1',
      (response) => response.writeHead(204).end(),
      json(404, {}),
      json(500, {}),
    );
    const cancel = () => provider.cancel?.(ref, context(server));
    expect([await cancel(), await cancel()]).toEqual(['requested', 'not_possible']);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

test('an account without credits counts as a problem of its credential', async () => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(400, { error: 'You do not have enough credits to run this task.' }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({
    kind: 'credential',
  });
});
