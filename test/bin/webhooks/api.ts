import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Delivery } from '../../../bin/webhooks/deliveries.ts';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LocalServer {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

type Answer = (request: Received) => { status: number; body?: unknown; headers?: Record<string, string> };

/** A local server that records the requests it gets. */
export async function serve(answer: Answer): Promise<LocalServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const got = { method, url, headers, body: await text(request) };
    received.push(got);
    const { status, body, headers: own = {} } = answer(got);
    response.writeHead(status, { connection: 'close', ...own });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Lists deliveries as the API does: newest first, a few on each page, with the last row's id as the cursor. */
export function listPage(deliveries: readonly Delivery[], url: string | undefined, size = 2) {
  const cursor = new URL(url ?? '', 'http://api').searchParams.get('cursor');
  const start = deliveries.findIndex(({ id }) => id === cursor) + 1;
  const data = deliveries.slice(start, start + size);
  const hasMore = start + size < deliveries.length;
  return { status: 200, body: { data, has_more: hasMore, cursor: hasMore ? data.at(-1)?.id : null } };
}

export const aDelivery = (id: string, changes: Partial<Delivery> = {}): Delivery => ({
  id,
  type: 'video.generation.completed',
  body: JSON.stringify({ type: 'video.generation.completed', data: { id: `vid_${id}`, text: 'é🦊' } }),
  status: 'pending',
  attempts: 0,
  history: [],
  created_at: '2026-11-21T09:43:02.114Z',
  ...changes,
});
