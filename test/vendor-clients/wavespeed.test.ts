import { Client } from 'wavespeed';
import { KEY } from '../videos/providers/wire-server.ts';
import { describeClient, type Sent } from './describe-client.ts';

const input = { prompt: 'A red fox', resolution: '720p', duration: 5, aspect_ratio: '16:9' };

async function run(at: string, more: object = {}): Promise<string> {
  const retries = { maxRetries: 0, maxConnectionRetries: 0 };
  const client = new Client(KEY, { baseUrl: at.replace(/\/api\/v3$/, ''), ...retries });
  const { outputs } = await client.run('model-1', { ...input, ...more }, { pollInterval: 0.01 });
  return String(outputs[0]);
}

/** The client names itself. */
const even = ({ headers, ...sent }: Sent): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('x-client-'))),
});

describeClient({
  vendor: 'wavespeed',
  client: 'wavespeed 0.3.2',
  even,
  asks: [
    ['text', {}, (at) => run(at)],
    [
      'a first frame',
      { frameImages: [{ frameType: 'first_frame', url: 'https://a.example/1.png' }] },
      (at) => run(at, { image: 'https://a.example/1.png#linked' }),
    ],
  ],
  make: run,
  failed: { code: 200, data: { id: 't1', status: 'failed', outputs: [], error: 'It broke' } },
});
