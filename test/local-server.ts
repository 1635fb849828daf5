import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LocalServer {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** A local server that reads and records each request and then answers as told. @param tls for the host `localhost` */
export async function openServer(
  answer: (request: IncomingMessage, response: ServerResponse, received: Received) => void,
  tls?: ServerOptions,
): Promise<LocalServer> {
  const received: Received[] = [];
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request;
    const latest = { method, url, headers, body: await text(request) };
    received.push(latest);
    answer(request, response, latest);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Answer = (request: Received) => { status: number; body?: unknown; headers?: Record<string, string> };

/** A local server whose answers are JSON. */
export const serve = (answer: Answer): Promise<LocalServer> =>
  openServer((_, response, request) => {
    const { status, body, headers } = answer(request);
    response.writeHead(status, { connection: 'close', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
