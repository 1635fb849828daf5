import { once } from 'node:events';
import type { Server } from 'node:http';

/** @returns the address of the server, once it listens on a free port */
export async function listen(server: Server): Promise<string> {
  // Longer than any pause between two requests of a bench.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
