import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import * as v from 'valibot';
import { errorCode, LocalRunError } from './failure.ts';

/** Below the ranges that systems assign on their own, so that a free port stays free. */
const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;
const ATTEMPTS = 100;

export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port between ${FIRST_PORT} and ${LAST_PORT} in ${ATTEMPTS} attempts`);
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** For this machine only. @returns the port @throws LocalRunError with what to do about a port that cannot be used */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause) => {
    throw listenFailure(port, cause);
  });
  return v.parse(v.object({ port: v.number() }), server.address()).port;
}

function listenFailure(port: number, cause: unknown): LocalRunError {
  const code = errorCode(cause);
  if (code === 'EADDRINUSE') {
    return new LocalRunError(
      `Port ${port} is in use. Stop what listens there, or choose another port with --port (0 for any free port).`,
      { cause },
    );
  }
  if (code === 'EACCES') {
    const advice = 'choose one from 1024 up with --port';
    return new LocalRunError(`Port ${port} is not allowed for this user: ${advice}.`, { cause });
  }
  const advice = 'choose another with --port';
  return new LocalRunError(`Port ${port} could not be opened (${String(cause)}): ${advice}.`, { cause });
}

/** `[::1]` is here for tools that forward IPv6 to this port; the server itself has no IPv6 socket. */
const OWN_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The allowed values of `Host` for a port of this machine. If the name of a web page resolves to 127.0.0.1 (DNS
 * rebinding), the page can send requests to the port and read the responses. But its browser sends the page's host.
 */
export function ownHosts(port: number): string[] {
  // A URL leaves out the default port, as browsers do.
  return OWN_NAMES.map((name) => new URL(`http://${name}:${port}`).host);
}
