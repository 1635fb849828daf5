import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ranges from which systems hand out ports of their own accord, so that a port found stays free. */
const FIRST = 20_000;
const LAST = 30_000;
const ATTEMPTS = 100;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST, LAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST} and ${LAST} in ${ATTEMPTS} attempts`);
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
