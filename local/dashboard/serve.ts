import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import * as v from 'valibot';
import { buildForBrowsers, pageOf } from '../../lib/bundling/browser-build.ts';
import { ROOT } from '../../lib/bundling/bundle.ts';
import { contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import { listenFailure, ownHosts } from '../system/ports.ts';
import type { Shown, View } from './view.ts';

const MINUTE = 60_000;
export const LONGEST_MINUTES = 180;

/** The query parameters of the page's requests. */
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

interface DashboardPorts {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly view: (shown: Shown) => Promise<View>;
  readonly now: () => number;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** Serves the page, to this machine only. @throws LocalRunError if the port is taken */
export async function serveDashboard(port: number, ports: DashboardPorts): Promise<Served> {
  const server = createServer(async (request, response) => {
    const { status, body, type = 'text/plain; charset=utf-8' } = await answer(request, hosts, ports);
    response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause) => {
    throw listenFailure(port, cause);
  });
  const bound = v.parse(v.object({ port: v.number() }), server.address()).port;
  const hosts = ownHosts(bound);
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

async function answer(
  { method, headers, url = '/' }: IncomingMessage,
  hosts: readonly string[],
  ports: DashboardPorts,
): Promise<Answer> {
  if (!hosts.includes(headers.host?.toLowerCase() ?? ''))
    return { status: 403, body: `The Host header must be ${hosts[0]}` };
  if (method !== 'GET') return { status: 405, body: 'Only GET is supported here' };
  const [path = '', query] = url.split('?', 2);
  const file = ports.files.get(path);
  if (file !== undefined) return { status: 200, ...file };
  if (path !== '/view.json') return { status: 404, body: 'No such path; only / and /view.json exist' };
  return answerView(new URLSearchParams(query), ports);
}

async function answerView(query: URLSearchParams, { view, now }: DashboardPorts): Promise<Answer> {
  const read = v.safeParse(asked, Object.fromEntries(query));
  if (!read.success) return { status: 400, body: v.summarize(read.issues) };
  const to = now();
  const span = { from: to - read.output.minutes * MINUTE, to };
  try {
    const body = JSON.stringify(await view({ span, periodSeconds: read.output.period }));
    return { status: 200, body, type: 'application/json' };
  } catch (error) {
    return {
      status: 503,
      body: `The local run does not answer: ${error instanceof Error ? error.message : error}`,
    };
  }
}

const SOURCE = join(import.meta.dirname, 'page');
const ICON = join(ROOT, 'console/icon.svg');
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' };

interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The page and the files that it loads, by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const built = await buildForBrowsers(SOURCE);
  const assets = built.map(({ name, body }): [string, PageFile] => [
    `/${name}`,
    { type: `${TYPES[extname(name)]}; charset=utf-8`, body },
  ]);
  const page = { type: 'text/html; charset=utf-8', body: pageOf(SOURCE, built, '') };
  const icon = { type: 'image/svg+xml', body: readFileSync(ICON, 'utf8') };
  return new Map([...assets, ['/', page], ['/icon.svg', icon]]);
}
