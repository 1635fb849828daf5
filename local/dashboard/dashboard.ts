import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { buildForBrowsers, pageOf } from '../../lib/bundling/browser-build.ts';
import { ROOT } from '../../lib/bundling/bundle.ts';
import { contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import { listen, ownHosts } from '../system/ports.ts';
import type { StateFolder } from '../system/state-folder.ts';
import type { Shown, View } from './view.ts';
import { watchRun } from './watched-run.ts';

const MINUTE = 60_000;
const LONGEST_MINUTES = 180;
const LOOK_MILLISECONDS = 10_000;

export interface DashboardOptions {
  readonly state: StateFolder;
  /** 0 means any free port. */
  readonly port: number;
  readonly now: () => number;
  /** Called with the address of the page. */
  readonly tell: (url: string) => void;
}

/** Serves the dashboards of a local run until it is interrupted. @throws LocalRunError */
export async function dashboard(options: DashboardOptions, interrupted: AbortSignal): Promise<void> {
  const { state, port, now, tell } = options;
  const run = await watchRun(state, LONGEST_MINUTES * MINUTE, interrupted);
  const served = await serveDashboard(port, { files: await pageFiles(), view: run.view, now });
  tell(served.url);
  while (!interrupted.aborted) {
    await run.look(now());
    await wait(LOOK_MILLISECONDS, undefined, { signal: interrupted }).catch(() => undefined);
  }
  await served.close();
}

interface PageFile {
  readonly type: string;
  readonly body: string;
}

/** The page and the files that it loads, by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const source = join(import.meta.dirname, 'page');
  const types = new Map([
    ['.js', 'text/javascript; charset=utf-8'],
    ['.css', 'text/css; charset=utf-8'],
  ]);
  const built = await buildForBrowsers(source);
  return new Map([
    ...built.map(({ name, body }) => [`/${name}`, { type: types.get(extname(name)) ?? '', body }] as const),
    ['/', { type: 'text/html; charset=utf-8', body: pageOf(source, built, '') }],
    ['/icon.svg', { type: 'image/svg+xml', body: readFileSync(join(ROOT, 'console/icon.svg'), 'utf8') }],
  ]);
}

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

/** Serves the page, to this machine only. @throws LocalRunError if the port is taken */
export async function serveDashboard(port: number, ports: DashboardPorts): Promise<Served> {
  const server = createServer(async (request, response) => {
    const { status, body, type = 'text/plain; charset=utf-8' } = await answer(request, hosts, ports);
    response.writeHead(status, { ...HEADERS, 'content-type': type }).end(body);
  });
  const bound = await listen(server, port);
  const hosts = ownHosts(bound);
  const close = async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${bound}/`, close };
}

interface Answer extends Partial<PageFile> {
  readonly status: number;
  readonly body: string;
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

/** The query parameters of the page's requests. A panel's own period is the one that was deployed. */
const askedSchema = v.object({
  minutes: v.pipe(v.string(), v.transform(Number), v.picklist([15, 60, LONGEST_MINUTES])),
  period: v.picklist(['deployed', '60']),
});

async function answerView(query: URLSearchParams, { view, now }: DashboardPorts): Promise<Answer> {
  const asked = v.safeParse(askedSchema, Object.fromEntries(query));
  if (!asked.success) return { status: 400, body: v.summarize(asked.issues) };
  const { minutes, period } = asked.output;
  const to = now();
  const shown = {
    span: { from: to - minutes * MINUTE, to },
    periodSeconds: period === 'deployed' ? undefined : Number(period),
  };
  try {
    return { status: 200, body: JSON.stringify(await view(shown)), type: 'application/json' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return { status: 503, body: `The local run does not answer: ${reason}` };
  }
}
