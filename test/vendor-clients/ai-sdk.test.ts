import { createAlibaba } from '@ai-sdk/alibaba';
import { createByteDance } from '@ai-sdk/bytedance';
import { createGoogle } from '@ai-sdk/google';
import { createMiniMax } from '@ai-sdk/minimax';
import { createXai } from '@ai-sdk/xai';
import { expect, test } from '@jest/globals';
import { providerOf } from '../../functions/videos/providers/registry.ts';
import { aProviderJob, json, KEY, WireServer } from '../videos/providers/wire-server.ts';
import { describeClient } from './describe-client.ts';

/** Google's knows everything that the others know. */
type Whole = ReturnType<ReturnType<typeof createGoogle>['video']>;
type Model = Pick<Whole, 'doStart' | 'doStatus'>;
type Call = Parameters<NonNullable<Whole['doStart']>>[0];
type Asked = Partial<Call>;

const common = {
  prompt: 'A red fox',
  n: 1,
  aspectRatio: '16:9',
  resolution: '1280x720',
  duration: 5,
  fps: undefined,
  seed: undefined,
  image: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
} satisfies Call;

/** Asks and waits, as `generateVideo` does, without its pauses. */
async function generate(model: Model, asked: Asked = {}): Promise<string | undefined> {
  const { doStart, doStatus } = model;
  if (doStart === undefined || doStatus === undefined) throw new Error('it only waits');
  const { operation } = await doStart.call(model, { ...common, ...asked });
  for (;;) {
    const state = await doStatus.call(model, { operation });
    if (state.status === 'error') throw new Error(state.error);
    if (state.status !== 'completed') continue;
    const [video] = state.videos;
    return video?.type === 'url' ? video.url : undefined;
  }
}

const url = 'https://a.example/1.png';
const image = { type: 'url' as const, url: `${url}#linked`, mediaType: 'image/png' };
const first = { frameType: 'first_frame' as const, url };
const last = { frameType: 'last_frame' as const, url };
const reference = { kind: 'image' as const, url };

const GROK = 'grok-imagine-video-1.5';
const xai = (at: string, asked?: Asked) =>
  generate(createXai({ apiKey: KEY, baseURL: at }).video(GROK), asked);

describeClient({
  vendor: 'xai',
  client: '@ai-sdk/xai 5.0.12',
  model: GROK,
  asks: [
    ['text', {}, (at) => xai(at)],
    [
      'both frames, without sound',
      { frameImages: [first, last], dialect: { audio: true }, generateAudio: false },
      (at) =>
        xai(at, {
          frameImages: [
            { frameType: 'first_frame', image },
            { frameType: 'last_frame', image },
          ],
          generateAudio: false,
        }),
    ],
    [
      'references',
      { inputReferences: [reference, { kind: 'audio', url }] },
      (at) =>
        xai(at, {
          inputReferences: [image, { ...image, mediaType: 'audio/mpeg' }],
          providerOptions: { xai: { mode: 'reference-to-video' } },
        }),
    ],
  ],
  make: xai,
  failed: { status: 'failed', error: { code: 'internal', message: 'It broke' } },
});

test.each([
  ['extend', 'extensions', 'extend-video'],
  ['edit', 'edits', 'edit-video'],
] as const)('xai gets the same request from it to %s a video', async (continuation, path, mode) => {
  await using server = await WireServer.open();
  server.on(`POST /v1/videos/${path}`, json(200, { request_id: 't1' }));
  const source = { continuation, url };
  await providerOf('xai').submit(aProviderJob({ upstreamModel: GROK, source }), server.context('/v1'));
  const model = createXai({ apiKey: KEY, baseURL: `${server.origin}/v1` }).video(GROK);
  const asked = { ...common, aspectRatio: undefined, resolution: undefined };
  const duration = continuation === 'edit' ? undefined : 5;
  const providerOptions = { xai: { mode, videoUrl: `${url}#linked` } };
  await model.doStart?.({ ...asked, duration, providerOptions });
  const [ours, theirs] = server.requests.map(({ method, url: to, body }) => [method, to, JSON.parse(body)]);
  expect(theirs).toEqual(ours);
});

const google = (at: string, asked?: Asked) =>
  generate(createGoogle({ apiKey: KEY, baseURL: at }).video('model-1'), asked);

describeClient({
  vendor: 'gemini-veo',
  client: '@ai-sdk/google 4.0.121',
  // One sample is the default.
  even: ({ body, ...sent }) => ({
    ...sent,
    body: JSON.parse(JSON.stringify(body, (name, value) => (name === 'sampleCount' ? undefined : value))),
  }),
  asks: [['text', {}, (at) => google(at)]],
  make: google,
  failed: { name: 'models/model-1/operations/t1', done: true, error: { code: 13, message: 'It broke' } },
});

type OneCall = Parameters<ReturnType<ReturnType<typeof createByteDance>['video']>['doGenerate']>[0];

/** It knows only one call for all, with pauses of its own. */
async function byteplus(at: string, asked: Partial<OneCall> = {}): Promise<string | undefined> {
  const { videos } = await createByteDance({ apiKey: KEY, baseURL: at })
    .video('model-1')
    .doGenerate({
      ...common,
      generateAudio: true,
      ...asked,
      providerOptions: { bytedance: { watermark: false, pollIntervalMs: 1 } },
    });
  const [video] = videos;
  return video?.type === 'url' ? video.url : undefined;
}

describeClient({
  vendor: 'byteplus',
  client: '@ai-sdk/bytedance 1.0.29',
  asks: [
    ['text', { seed: 7 }, (at) => byteplus(at, { seed: 7 })],
    [
      'both frames',
      { frameImages: [first, last] },
      (at) =>
        byteplus(at, {
          frameImages: [
            { frameType: 'first_frame', image },
            { frameType: 'last_frame', image },
          ],
        }),
    ],
    ['references', { inputReferences: [reference] }, (at) => byteplus(at, { inputReferences: [image] })],
  ],
  make: byteplus,
  failed: { id: 't1', status: 'failed', error: { code: 'InternalError', message: 'It broke' } },
  says: 'Video generation failed',
});

const MODEL = 'wan3.0-video';
const alibaba = (at: string, asked?: Asked) =>
  generate(createAlibaba({ apiKey: KEY, videoBaseURL: at.replace('/api/v1', '') }).video(MODEL), asked);

describeClient({
  vendor: 'dashscope',
  client: '@ai-sdk/alibaba 2.0.58',
  model: MODEL,
  asks: [
    ['text, with sound', { dialect: { audio: true } }, (at) => alibaba(at, { generateAudio: true })],
    [
      'both frames',
      { frameImages: [first, last] },
      (at) =>
        alibaba(at, {
          frameImages: [
            { frameType: 'first_frame', image },
            { frameType: 'last_frame', image },
          ],
        }),
    ],
    ['references', { inputReferences: [reference] }, (at) => alibaba(at, { inputReferences: [image] })],
  ],
  make: alibaba,
  failed: { output: { task_id: 't1', task_status: 'FAILED', code: 'InternalError', message: 'It broke' } },
});

const H3 = 'MiniMax-H3';
const minimax = (at: string, asked?: Asked) =>
  generate(createMiniMax({ apiKey: KEY, videoBaseURL: at }).video(H3), {
    // Its own words for sizes are its options'.
    resolution: undefined,
    providerOptions: { minimax: { resolution: '768P' } },
    ...asked,
  });
const sized = { resolution: '768p' } as const;

describeClient({
  vendor: 'minimax',
  client: '@ai-sdk/minimax 3.0.45',
  model: H3,
  asks: [
    ['text', sized, (at) => minimax(at)],
    [
      'references',
      { ...sized, inputReferences: [reference, { kind: 'audio', url }] },
      (at) =>
        minimax(at, {
          inputReferences: [image],
          providerOptions: { minimax: { resolution: '768P', referenceAudioUrls: [`${url}#linked`] } },
        }),
    ],
  ],
  make: minimax,
  failed: { task: { id: 't1', status: 'failed', error: { code: '1000', message: 'It broke' } } },
});
