import { once } from 'node:events';
import type { Server } from 'node:http';

/** Where every server under test sends its bytes. */
export const SINK = process.env.SINK ?? 'http://127.0.0.1:1';
export const BUCKET = 'bench';

/** For the SDK's client in a server under test. The sink checks no signature, but signing is part of the work. */
export const S3_SETTINGS = {
  endpoint: SINK,
  region: 'us-east-1',
  forcePathStyle: true,
  credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
};

function usage() {
  const { user, system } = process.cpuUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/**
 * Tells the bench where the server listens, and then what it asks for.
 * @param answer by default, what resources the process has used
 */
export async function report(server: Server, answer: () => object = usage): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
  process.once('disconnect', () => process.exit());
  process.on('message', () => process.send?.(answer()));
}
