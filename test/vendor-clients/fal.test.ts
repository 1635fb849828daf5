import { ApiError, createFalClient } from '@fal-ai/client';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { json, KEY } from '../videos/providers/wire-server.ts';
import { describeClient, type Sent } from './describe-client.ts';

const MODEL = 'fal-ai/veo3.1';
const ANY_MODEL: string = MODEL;
const VIDU = 'fal-ai/vidu/q3/text-to-video/turbo';
const veo = { duration: 'seconds', resolution: true, audio: true };
const input = {
  prompt: 'A red fox',
  aspect_ratio: '16:9',
  duration: '8s',
  resolution: '720p',
  generate_audio: true,
} as const;

/** The client knows one host, so it is sent elsewhere. */
const queueAt = (at: string) =>
  createFalClient({
    credentials: KEY,
    fetch: (url, init) => fetch(String(url).replace('https://queue.fal.run', at), init),
  }).queue;

/** `logs=0` and the priority `normal` are the defaults. */
function even({ path, headers, ...sent }: Sent): Sent {
  const { 'x-fal-queue-priority': priority, ...others } = headers;
  const counting = priority === undefined || priority === 'normal' ? others : headers;
  return { ...sent, path: path.replace(/\?logs=0$/, ''), headers: counting };
}

describeClient({
  vendor: 'fal',
  client: '@fal-ai/client 1.10.1',
  model: MODEL,
  even,
  asks: [
    ['text', { durationSeconds: 8, dialect: veo }, (at) => queueAt(at).submit(MODEL, { input })],
    [
      'a first frame, which is another model',
      {
        durationSeconds: 8,
        dialect: { ...veo, first_frame_model: MODEL, first_frame: 'start_image_url' },
        frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1.png' }],
      },
      (at) =>
        queueAt(at).submit(ANY_MODEL, {
          input: { ...input, start_image_url: 'https://a.example/1.png#linked' },
        }),
    ],
    [
      'a row of a model whose fields the client knows',
      { upstreamModel: VIDU, dialect: findOffer('fal/vidu-q3-turbo')?.dialect ?? {}, seed: 7 },
      (at) =>
        queueAt(at).submit(VIDU, {
          input: {
            prompt: 'A red fox',
            aspect_ratio: '16:9',
            duration: 5,
            resolution: '720p',
            audio: true,
            seed: 7,
          },
        }),
      `POST /${VIDU}`,
    ],
  ],
  async make(at) {
    const queue = queueAt(at);
    const { request_id: requestId } = await queue.submit(MODEL, { input });
    await queue.subscribeToStatus(MODEL, { requestId, pollInterval: 1 });
    const { data } = await queue.result(MODEL, { requestId }).catch((error: unknown) => {
      throw error instanceof ApiError ? new Error(JSON.stringify(error.body)) : error;
    });
    return data.video.url;
  },
  failed: { status: 'COMPLETED', request_id: 't1' },
  failedResult: json(500, { detail: [{ loc: ['body'], msg: 'It broke', type: 'internal_server_error' }] }),
  cancel: (at) => queueAt(at).cancel(MODEL, { requestId: 't1' }),
});
