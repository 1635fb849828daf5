import { GoogleGenAI } from '@google/genai';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient, type Sent } from './describe-client.ts';

const client = (at: string) =>
  new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: at.replace(/\/v1$/, '') } });
const bytes = (url: string) => Buffer.from(`bytes of ${url}`).toString('base64');
/** `stream=false` is the default, and the client's cookie is empty. */
function even({ path, headers, ...sent }: Sent): Sent {
  const counting = Object.entries(headers).filter(([name, value]) => name !== 'cookie' || value !== '');
  return { ...sent, path: path.replace(/&stream=false$/, ''), headers: Object.fromEntries(counting) };
}

const interaction = {
  model: 'model-1',
  background: true,
  response_format: {
    type: 'video' as const,
    delivery: 'uri' as const,
    aspect_ratio: '16:9' as const,
    resolution: '720p' as const,
    duration: '5s',
  },
};

describeClient({
  vendor: 'gemini',
  client: '@google/genai 3.1.0',
  even,
  asks: [
    [
      'text',
      {},
      (at) =>
        client(at).interactions.create({ ...interaction, input: [{ type: 'text', text: 'A red fox' }] }),
    ],
    [
      'references',
      { inputReferences: [{ kind: 'image', url: 'https://a.example/1' }] },
      (at) =>
        client(at).interactions.create({
          ...interaction,
          input: [
            { type: 'image', data: bytes('https://a.example/1'), mime_type: 'image/png' },
            { type: 'text', text: 'A red fox' },
          ],
          generation_config: { video_config: { task: 'reference_to_video' } },
        }),
    ],
  ],
  async make(at) {
    const { interactions } = client(at);
    const { id } = await interactions.create({
      ...interaction,
      input: [{ type: 'text', text: 'A red fox' }],
    });
    for (;;) {
      const made = await interactions.get(id ?? '', { include_input: false });
      if (made.status === 'completed') return made.output_video?.uri;
      if (made.status === 'failed') throw new Error(JSON.stringify(made.errors));
    }
  },
  failed: { id: 't1', status: 'failed', errors: [{ code: 'INTERNAL', message: 'It broke' }] },
  cancel: (at) => client(at).interactions.cancel('t1'),
});
