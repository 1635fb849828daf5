import { describe, expect, test } from '@jest/globals';
import { micros } from '../../../functions/money/micros.ts';
import { minimax as provider } from '../../../functions/videos/providers/minimax.ts';
import { aProviderJob, json, KEY, WireServer } from './wire-server.ts';

const SUBMIT = 'POST /v2/video_generation';
const POLL = 'GET /v2/query/video_generation/m1';
const ref = { task_id: 'm1' };
const context = (server: WireServer) => server.context('');

describe('a task', () => {
  test('is created and polled until it has an address', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { task_id: 'm1', base_resp: { status_code: 0, status_msg: 'success' } }));
    const inputReferences = [{ kind: 'audio' as const, url: 'https://a.example/a.mp3' }];
    const frameImages = [{ frameType: 'first_frame' as const, url: 'https://a.example/1.png' }];
    const job = aProviderJob({ inputReferences, frameImages, resolution: '768p' });
    expect(await provider.submit(job, context(server))).toEqual({
      ref: { ...ref, tariff: job.tariff },
      upstreamId: 'm1',
    });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      content: [
        { type: 'text', text: 'A red fox' },
        { type: 'image_url', image_url: { url: 'https://a.example/1.png#linked' }, role: 'first_frame' },
        { type: 'audio_url', audio_url: { url: 'https://a.example/a.mp3#linked' }, role: 'reference_audio' },
      ],
      resolution: '768P',
      duration: 5,
      ratio: '16:9',
    });
    server.on(
      POLL,
      json(200, { task: { id: 'm1', status: 'Queued' } }),
      json(200, { task: { id: 'm1', status: 'processing' } }),
      json(200, { task: { id: 'm1', status: 'succeeded', content: { url: 'https://m.example/v' } } }),
    );
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'queued' });
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'running' });
    expect(await provider.poll(ref, context(server))).toEqual({
      state: 'succeeded',
      outputs: [{ kind: 'url', url: 'https://m.example/v' }],
    });
  });

  test.each([
    [
      { status: 'succeeded', content: null },
      { state: 'succeeded', outputs: [] },
    ],
    [
      { status: 'failed', error: { code: 1027, message: 'Withheld' } },
      { state: 'failed', reason: 'Withheld', moderated: true },
    ],
    [
      { status: 'failed', error: { code: 'x' } },
      { state: 'failed', reason: 'x' },
    ],
    [{ status: 'expired' }, { state: 'expired', reason: 'The provider reports the job as expired' }],
  ])('%j ends so', async (task, state) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { task: { id: 'm1', ...task } }));
    expect(await provider.poll(ref, context(server))).toEqual(state);
  });

  test('has the shape of its first frame', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { task_id: 'm1' }));
    const { aspectRatio: _, ...job } = aProviderJob();
    await provider.submit(job, context(server));
    expect(server.lastJson()).not.toHaveProperty('ratio');
  });

  test.each([
    ['the seconds of its clips and of the video', { input_seconds: 6, output_seconds: 5 }, 1_000_000],
    ['the video alone', { input_seconds: null, output_seconds: 5 }, 520_000],
    ['no usage', null, undefined],
    ['a usage that cannot be true', { output_seconds: -1 }, undefined],
    ['a video of no seconds', { input_seconds: 6, output_seconds: 0 }, undefined],
  ])('is charged for %s', async (_, usage, cost) => {
    await using server = await WireServer.open();
    const tariff = { second: micros(80_000), fixed: micros(120_000), least: micros(0) };
    const content = { url: 'https://m.example/v' };
    server.on(POLL, json(200, { task: { id: 'm1', status: 'succeeded', content, usage } }));
    const state = await provider.poll({ ...ref, tariff }, context(server));
    expect('costMicros' in state ? state.costMicros : undefined).toBe(cost);
  });

  test('with another id is refused', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { task: { id: 'm2', status: 'succeeded' } }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

test.each([
  [1002, 'rate_limited'],
  [1004, 'credential'],
  [1008, 'credential'],
  [1026, 'moderated'],
  [2013, 'refused'],
  [9999, 'ambiguous'],
])('an error %i under a 200 is %s', async (status_code, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(200, { base_resp: { status_code, status_msg: 'No' } }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});

test.each([
  [401, 'invalid api key (2049)', 'credential'],
  [402, 'insufficient balance (1008)', 'credential'],
  [500, 'insufficient balance (1008)', 'credential'],
  [422, 'the prompt contains sensitive content (1026)', 'moderated'],
  [429, 'rate limit, please retry later (1002)', 'rate_limited'],
  [400, 'invalid params, duration (2013)', 'refused'],
  [500, 'internal error (1000)', 'ambiguous'],
])('an error %i with the words %s is %s', async (status, message, kind) => {
  await using server = await WireServer.open();
  server.on(SUBMIT, json(status, { type: 'error', error: { type: 'some_error', message } }));
  await expect(provider.submit(aProviderJob(), context(server))).rejects.toMatchObject({ kind });
});

test('a key that is refused under a 200 is wrong, although the answer has a list', async () => {
  await using server = await WireServer.open();
  const base_resp = { status_code: 1004, status_msg: 'login fail' };
  server.on('GET /v2/query/video_generation?page_num=1&page_size=1', json(200, { items: null, base_resp }));
  await expect(provider.checkKey?.(context(server))).rejects.toMatchObject({ kind: 'credential' });
});

test('a task is deleted when it is cancelled, and the next poll tells what came of it', async () => {
  await using server = await WireServer.open();
  server.on(
    'DELETE /v2/video_generation/m1',
    json(200, { base_resp: { status_code: 0, status_msg: 'success' } }),
    json(200, { base_resp: { status_code: 2013, status_msg: 'the task is running' } }),
    json(400, {}),
    json(500, {}),
  );
  const cancel = () => provider.cancel?.(ref, context(server));
  expect([await cancel(), await cancel(), await cancel()]).toEqual([
    'requested',
    'requested',
    'not_possible',
  ]);
  await expect(cancel()).rejects.toMatchObject({ kind: 'ambiguous' });
});
