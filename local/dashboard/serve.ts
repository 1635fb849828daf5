import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as v from 'valibot';
import { contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import { ownHosts } from '../edge/own-hosts.ts';
import { listenFailure } from '../system/listen-failure.ts';
import type { PageFile } from './page-files.ts';
import type { Shown, View } from './view.ts';

const MINUTE = 60_000;
export const LONGEST_MINUTES = 180;

/** What the page may ask for. */
const asked = v.object({
  minutes: v.pipe(v.string(), v.transform(Number), v.picklist([15, 60, LONGEST_MINUTES])),
  period: v.union([
    v.pipe(
      v.literal('deployed'),
      v.transform(() => undefined),
    ),
    v.pipe(
      v.literal('60'),
      v.transform(() => 60),
    ),
  ]),
});

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy([]),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

export interface DashboardPorts {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly view: (shown: Shown) => Promise<View>;
  readonly now: () => number;
}

/** Serves the page, to this machine alone. @throws LocalRunError when the port is taken */
export async function serveDashboard(port: number, ports: DashboardPorts): Promise<Served> {
  const server = createServer((request, response) => void answer(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause) => {
    throw listenFailure(port, cause);
  });
  const bound = (server.address() as AddressInfo).port;
  const hosts = ownHosts(bound);

  async function answer({ method, headers, url = '/' }: IncomingMessage, response: ServerResponse) {
    const send = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
    if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
      return send(403, `The Host header must be ${hosts[0]}`);
    if (method !== 'GET') return send(405, 'Only GET is answered here');
    const { pathname, searchParams } = new URL(url, `http://127.0.0.1:${bound}`);
    const file = ports.files.get(pathname);
    if (file !== undefined) return send(200, file.body, file.type);
    if (pathname !== '/view.json') return send(404, 'There is / and /view.json');
    const read = v.safeParse(asked, Object.fromEntries(searchParams));
    if (!read.success) return send(400, v.summarize(read.issues));
    const now = ports.now();
    const span = { from: now - read.output.minutes * MINUTE, to: now };
    try {
      const view = await ports.view({ span, periodSeconds: read.output.period });
      return send(200, JSON.stringify(view), 'application/json');
    } catch (error) {
      return send(503, `The local run does not answer: ${error instanceof Error ? error.message : error}`);
    }
  }

  return {
    url: `http://127.0.0.1:${bound}/`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
