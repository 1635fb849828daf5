import Replicate from 'replicate';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient } from './describe-client.ts';

const MODEL = 'google/veo-3.1';
const input = { prompt: 'A red fox', aspect_ratio: '16:9', duration: 5 };
const client = (at: string) => new Replicate({ auth: KEY, baseUrl: at });

describeClient({
  vendor: 'replicate',
  client: 'replicate 1.4.0',
  model: MODEL,
  asks: [
    ['text', {}, (at) => client(at).predictions.create({ model: MODEL, input })],
    [
      'frames and references',
      {
        frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1.png' }],
        inputReferences: [{ kind: 'image', url: 'https://a.example/2.png' }],
      },
      (at) =>
        client(at).predictions.create({
          model: MODEL,
          input: {
            ...input,
            image: 'https://a.example/1.png#linked',
            reference_images: ['https://a.example/2.png#linked'],
          },
        }),
    ],
  ],
  async make(at) {
    const created = await client(at).predictions.create({ model: MODEL, input });
    const prediction = await client(at).wait(created, { interval: 1 });
    if (prediction.status === 'failed') throw new Error(String(prediction.error));
    return prediction.output;
  },
  failed: { id: 't1', status: 'failed', error: 'It broke' },
  cancel: (at) => client(at).predictions.cancel('t1'),
});
