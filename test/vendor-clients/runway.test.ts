import RunwayML from '@runwayml/sdk';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient } from './describe-client.ts';

const client = (at: string) => new RunwayML({ apiKey: KEY, baseURL: at.replace(/\/v1$/, ''), maxRetries: 0 });
const linked = (name: string) => `https://a.example/${name}#linked`;

describeClient({
  vendor: 'runway',
  client: '@runwayml/sdk 4.20.1',
  asks: [
    [
      'text',
      { upstreamModel: 'gen4.5', seed: 7 },
      (at) =>
        client(at).textToVideo.create({
          model: 'gen4.5',
          promptText: 'A red fox',
          ratio: '1280:720',
          duration: 5,
          seed: 7,
        }),
    ],
    [
      'sound, and references of each kind',
      {
        upstreamModel: 'seedance2_5',
        dialect: { audio: true, sizes: 'seedance-2.5' },
        width: 960,
        height: 720,
        aspectRatio: '4:3',
        inputReferences: (['image', 'audio', 'video'] as const).map((kind) => ({
          kind,
          url: `https://a.example/${kind}`,
        })),
      },
      (at) =>
        client(at).textToVideo.create({
          model: 'seedance2_5',
          promptText: 'A red fox',
          ratio: '1112:834',
          duration: 5,
          audio: true,
          references: [{ uri: linked('image') }],
          referenceAudio: [{ type: 'audio', uri: linked('audio') }],
          referenceVideos: [{ type: 'video', uri: linked('video') }],
        }),
    ],
    [
      'an edit',
      { upstreamModel: 'aleph2', source: { continuation: 'edit', url: 'https://a.example/v' } },
      (at) =>
        client(at).videoToVideo.create({ model: 'aleph2', promptText: 'A red fox', videoUri: linked('v') }),
      'POST /v1/video_to_video',
    ],
    [
      'a first frame',
      {
        upstreamModel: 'wan3',
        dialect: { audio: true, sizes: 'wan-3.0' },
        frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1' }],
      },
      (at) =>
        client(at).imageToVideo.create({
          model: 'wan3',
          promptText: 'A red fox',
          promptImage: [{ uri: linked('1'), position: 'first' }],
          ratio: '1280:720',
          duration: 5,
          audio: true,
        }),
      'POST /v1/image_to_video',
    ],
  ],
  async make(at) {
    const { id } = await client(at).textToVideo.create({
      model: 'gen4.5',
      promptText: 'A red fox',
      ratio: '1280:720',
      duration: 5,
    });
    for (;;) {
      const task = await client(at).tasks.retrieve(id);
      if (task.status === 'SUCCEEDED') return task.output[0];
      if (task.status === 'FAILED') throw new Error(task.failure);
      if (task.status === 'CANCELLED') throw new Error('cancelled');
    }
  },
  failed: {
    id: 't1',
    status: 'FAILED',
    failure: 'It broke',
    failureCode: 'INTERNAL',
    cost: { credits: 0 },
  },
  cancel: (at) => client(at).tasks.delete('t1'),
});
