import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import { dashscope as provider } from '../../../functions/videos/providers/dashscope.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /api/v1/services/aigc/video-generation/video-synthesis';
const POLL = 'GET /api/v1/tasks/t1';
const ref = { task_id: 't1' };
const context = (server: WireServer) => server.context('/api/v1');
const created = json(200, { request_id: 'r', output: { task_id: 't1', task_status: 'PENDING' } });

describe('a task', () => {
  test('has the shape of its input, and sound as asked, where the model does', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, created);
    const { aspectRatio: _, ...job } = aProviderJob({ dialect: { audio: true }, generateAudio: false });
    await provider.submit(job, context(server));
    expect(server.lastJson()).toMatchObject({ parameters: { audio: false, resolution: '720P' } });
    expect(server.lastJson()).not.toHaveProperty('parameters.ratio');
  });

  test.each([
    ['its clips and the video', { input_video_duration: 5.5, output_video_duration: 5 }, 1_050_000],
    ['the video alone', { duration: 5, output_video_duration: 5 }, 500_000],
    ['a usage without the video’s length', { duration: 5 }, undefined],
    ['no usage', null, undefined],
    ['a video of no seconds', { output_video_duration: 0 }, undefined],
  ])('is charged for %s', async (_, usage, cost) => {
    await using server = await WireServer.open();
    const tariff = { second: micros(100_000), fixed: micros(0), least: micros(0) };
    const output = { task_id: 't1', task_status: 'SUCCEEDED', video_url: 'https://oss.example/v.mp4' };
    server.on(POLL, json(200, { output, usage }));
    const state = await provider.poll({ ...ref, tariff }, context(server));
    expect('costMicros' in state ? state.costMicros : undefined).toBe(cost);
  });

  test('is created without waiting', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, created);
    const options = { negative_prompt: 'rain', prompt_extend: false };
    const job = aProviderJob({ seed: 0, options, resolution: '1080p' });
    expect(await provider.submit(job, context(server))).toEqual({
      ref: { ...ref, tariff: job.tariff },
      upstreamId: 't1',
    });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-dashscope-async': 'enable',
    });
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      input: { prompt: 'A red fox', negative_prompt: 'rain' },
      parameters: { prompt_extend: false, resolution: '1080P', ratio: '16:9', duration: 5, seed: 0 },
    });
  });

  test.each([
    [
      { frameImages: [{ frameType: 'first_frame' as const, url: 'https://a.example/1.png' }] },
      'wan-i2v',
      [{ type: 'first_frame', url: 'https://a.example/1.png#linked' }],
    ],
    [
      { inputReferences: [{ kind: 'video' as const, url: 'https://a.example/v.mp4' }] },
      'wan-r2v',
      [{ type: 'reference_video', url: 'https://a.example/v.mp4#linked' }],
    ],
  ])('with %j goes to another model', async (inputs, model, media) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, created);
    const dialect = { frame_model: 'wan-i2v', reference_model: 'wan-r2v' };
    await provider.submit(aProviderJob({ dialect, ...inputs }), context(server));
    expect(server.lastJson()).toMatchObject({ model, input: { media } });
  });

  test.each([
    [{ task_status: 'SUCCEEDED' }, { state: 'succeeded', outputs: [] }],
    [
      { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'Inappropriate' },
      { state: 'failed', reason: 'Inappropriate', moderated: true },
    ],
    [
      { task_status: 'FAILED', code: 'InternalError' },
      { state: 'failed', reason: 'InternalError' },
    ],
    [
      { task_status: 'CANCELED' },
      { state: 'cancelled', reason: 'The provider reports the job as cancelled' },
    ],
    [{ task_status: 'UNKNOWN' }, { state: 'expired', reason: 'The provider no longer has the job' }],
  ])('%j ends so', async (task, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { output: { task_id: 't1', ...task } }));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { output: { task_id: 't2', task_status: 'SUCCEEDED' } }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('is cancelled while it waits', async () => {
    await using server = await WireServer.open();
    server.on(
      'POST /api/v1/tasks/t1/cancel',
      json(200, {}),
      json(400, { code: 'UnsupportedOperation' }),
      json(500, {}),
    );
    const cancel = () => provider.cancel?.(ref, context(server));
    expect([await cancel(), await cancel()]).toEqual(['cancelled', 'not_possible']);
    await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
  });
});

test.each([
  [400, 'DataInspectionFailed', 'moderated'],
  [400, 'Arrearage', 'credential'],
  [429, 'Throttling.AllocationQuota', 'credential'],
  [429, 'Throttling.RateQuota', 'rate_limited'],
  [400, 'InvalidParameter', 'refused'],
])('a submit answered with %i %s is %s', async (status, code, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { code, message: 'No', request_id: 'r' }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});
