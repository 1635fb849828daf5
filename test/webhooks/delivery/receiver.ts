import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedReceiver {
  readonly origin: string;
  readonly received: Received[];
  close(): Promise<void>;
}

/** A local receiver that reads and records each request and then answers as told. */
export async function openReceiver(answer: RequestListener, tls?: ServerOptions): Promise<ScriptedReceiver> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    received.push({ headers: request.headers, body: (await buffer(request)).toString() });
    answer(request, response);
  };
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    received,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
