import OpenAI, { toFile } from 'openai';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient } from './describe-client.ts';

const client = (at: string) => new OpenAI({ apiKey: KEY, baseURL: at, maxRetries: 0 });

describeClient({
  vendor: 'openai-videos',
  client: 'openai 7.55.0',
  context: (at) => ({
    settings: { base_url: `${at}/v1`, credential: 'workspace', encoding: 'multipart' },
  }),
  asks: [
    [
      'text',
      { upstreamModel: 'sora-2', durationSeconds: 4 },
      (at) =>
        client(at).videos.create({ model: 'sora-2', prompt: 'A red fox', seconds: '4', size: '1280x720' }),
    ],
    [
      'an image',
      {
        upstreamModel: 'sora-2',
        durationSeconds: 4,
        frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1.png' }],
      },
      async (at) =>
        client(at).videos.create({
          model: 'sora-2',
          prompt: 'A red fox',
          seconds: '4',
          size: '1280x720',
          input_reference: await toFile(Buffer.from('bytes of https://a.example/1.png'), 'input', {
            type: 'image/png',
          }),
        }),
    ],
  ],
  async make(at) {
    const { id } = await client(at).videos.create({ model: 'sora-2', prompt: 'A red fox' });
    for (;;) {
      const video = await client(at).videos.retrieve(id);
      if (video.status === 'failed') throw new Error(video.error?.message);
      // The client has no field for an address: it downloads by id.
      if (video.status === 'completed') return 'https://result.example/v.mp4';
    }
  },
  failed: { id: 't1', status: 'failed', error: { code: 'server_error', message: 'It broke' } },
  cancel: (at) => client(at).videos.delete('t1'),
});
