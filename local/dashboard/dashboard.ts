import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { buildForBrowsers, pageOf } from '../../lib/bundling/browser-build.ts';
import { ROOT } from '../../lib/bundling/folders.ts';
import { contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import { listen, ownHosts } from '../system/ports.ts';
import type { StateFolder } from '../system/state-folder.ts';
import { DEPLOYED_PERIOD_SECONDS, type Shown, type View } from './view.ts';
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
    // Also while nobody looks at the page. If the run has ended, the next view says so.
    await run.look(now()).catch(() => undefined);
    await wait(LOOK_MILLISECONDS, undefined, { signal: interrupted }).catch(() => undefined);
  }
  await served.close();
}

/** The bodies of the page and of the files that it loads, by their paths. */
export async function pageFiles(): Promise<ReadonlyMap<string, string>> {
  const source = join(import.meta.dirname, 'page');
  const built = await buildForBrowsers(source);
  return new Map([
    ...built.map(({ name, body }) => [`/${name}`, body] as const),
    ['/', pageOf(source, built, '')],
    ['/icon.svg', readFileSync(join(ROOT, 'console/icon.svg'), 'utf8')],
  ]);
}

/** By the ending of the path. */
const TYPES: Readonly<Record<string, string>> = {
  '': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': contentSecurityPolicy([]),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

interface DashboardPorts {
  readonly files: ReadonlyMap<string, string>;
  readonly view: (shown: Shown) => Promise<View>;
  readonly now: () => number;
}

/** Serves the page, to this machine only. @throws LocalRunError if the port is taken */
export async function serveDashboard(port: number, ports: DashboardPorts): Promise<Served> {
  const server = createServer(async (request, response) => {
    const [path = '', query] = (request.url ?? '/').split('?', 2);
    const isOwn = hosts.includes(request.headers.host?.toLowerCase() ?? '');
    const { status, body } = isOwn
      ? await answer(request.method, path, new URLSearchParams(query), ports)
      : { status: 403, body: `The Host header must be ${hosts[0]}` };
    const type = status === 200 ? TYPES[extname(path)] : 'text/plain';
    response.writeHead(status, { ...HEADERS, 'content-type': `${type}; charset=utf-8` }).end(body);
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

/** The query parameters of the page's requests. */
const askedSchema = v.object({
  minutes: v.pipe(v.string(), v.transform(Number), v.picklist([15, 60, LONGEST_MINUTES])),
  period: v.picklist(['deployed', '60']),
});

async function answer(
  method: string | undefined,
  path: string,
  query: URLSearchParams,
  { files, view, now }: DashboardPorts,
): Promise<{ status: number; body: string }> {
  if (method !== 'GET') return { status: 405, body: 'Only GET is supported here' };
  const file = files.get(path);
  if (file !== undefined) return { status: 200, body: file };
  if (path !== '/view.json') return { status: 404, body: 'No such path; the page is at /' };
  const asked = v.safeParse(askedSchema, Object.fromEntries(query));
  if (!asked.success) return { status: 400, body: v.summarize(asked.issues) };
  const { minutes, period } = asked.output;
  const to = now();
  const periodSeconds = period === 'deployed' ? DEPLOYED_PERIOD_SECONDS : Number(period);
  try {
    const shown = { span: { from: to - minutes * MINUTE, to }, periodSeconds };
    return { status: 200, body: JSON.stringify(await view(shown)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return { status: 503, body: `The local stage does not respond: ${reason}` };
  }
}
