import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ranges that systems assign on their own, so that a free port stays free. */
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
