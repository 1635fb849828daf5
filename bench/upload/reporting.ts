import type { Server } from 'node:http';
import { listen } from '../listen.ts';

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
  const { port } = new URL(await listen(server));
  process.send?.({ port: Number(port) });
  process.once('disconnect', () => process.exit());
  process.on('message', () => process.send?.(answer()));
}
