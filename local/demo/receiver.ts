import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

export interface Delivery {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Receiver {
  readonly url: string;
  /** The first delivery that arrives. */
  readonly delivery: Promise<Delivery>;
  close(): void;
}

/** A webhook receiver on this machine, written as a caller should: take the raw body, answer 204, then verify. */
export async function openReceiver(): Promise<Receiver> {
  const { promise, resolve } = Promise.withResolvers<Delivery>();
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    response.writeHead(204).end();
    resolve({ body, headers: request.headers });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return {
    url: `http://127.0.0.1:${address.port}/genway`,
    delivery: promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** @returns the event's type @throws if the delivery was not signed with this secret */
export function verifyDelivery({ body, headers }: Delivery, secret: string): unknown {
  const text = (name: string) => String(headers[name] ?? '');
  return new Webhook(secret).verify(body, {
    'webhook-id': text('webhook-id'),
    'webhook-timestamp': text('webhook-timestamp'),
    'webhook-signature': text('webhook-signature'),
  });
}
