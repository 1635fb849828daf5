import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { UNKNOWN_PATH } from '../../functions/http/errors.ts';
import { SITE, siteSchema } from '../../functions/site.ts';
import { BUNDLES } from '../../lib/bundling/folders.ts';
import { CONSOLE_PATH, contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import { API_ORIGIN, edgeProgram, UPLOAD_ORIGIN, UPLOAD_PATHS } from '../../lib/edge/program.ts';
import type { StackOutputs } from '../deployment/deploy.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { loadEdgeFunction } from './cloudfront-functions.ts';
import { downloads, downloadsUrl } from './downloads.ts';
import type { EdgeRouter } from './edge.ts';
import { type EdgeAnswer, type EdgeError, errorAnswer } from './edge-answer.ts';
import { sandboxCalls } from './sandbox-calls.ts';

/** The id of the key that signs links to downloads. */
export const LINK_KEY = 'local';

export interface Origins {
  /** The emulator, and the REST API in it. */
  readonly emulator: string;
  readonly apiId: string;
  readonly uploads: string;
}

interface Behind {
  readonly aws: AwsAccess;
  readonly outputs: Pick<StackOutputs, 'DownloadsPublicKey' | 'FilesBucket' | 'ResultsBucket'>;
  readonly origins: Origins;
  /** Where callers see the edge. */
  readonly edge: string;
  readonly hasConsole: boolean;
  /** @default there is no `security.txt` */
  readonly securityContact?: string | undefined;
  /** With which the sandbox signs its calls. */
  readonly sandboxKey: KeyObject;
  readonly warn: (text: string) => void;
}

/** What the edge does with each request: downloads, the console, and the API behind its origins. */
export function edgeRouter({
  aws,
  outputs,
  origins,
  edge,
  hasConsole,
  securityContact,
  sandboxKey,
  warn,
}: Behind): EdgeRouter {
  const pages = hasConsole ? consolePages(new URL(downloadsUrl(edge)).origin) : undefined;
  const download = downloads(aws, {
    url: downloadsUrl(edge),
    keys: new Map([[LINK_KEY, createPublicKey(outputs.DownloadsPublicKey)]]),
    files: outputs.FilesBucket,
    results: outputs.ResultsBucket,
    now: () => new Date(),
    warn,
  });
  const program = edgeProgram({ console: hasConsole, securityContact });
  const api = apiRouter(program, origins, pages);
  // Pages and downloads have one name of this machine each, as they have one host each on AWS.
  const besideDownloads = apiRouter(program, origins, (uri) => pages?.(uri) && seeOther(`${edge}${uri}`));
  const { host } = new URL(downloadsUrl(edge));
  const calls = sandboxCalls(edge, sandboxKey);
  return (request) =>
    calls(request) ?? download(request) ?? (request.headers.host === host ? besideDownloads : api)(request);
}

const seeOther = (location: string): EdgeAnswer => ({ status: 303, headers: { location }, body: '' });

/** What the edge answers itself: the files of the console. */
type Pages = (uri: string) => EdgeAnswer | undefined;

/**
 * Routes as CloudFront does: the edge function may choose the origin, and otherwise the path decides. The REST API,
 * whose stage is `api`, has the emulator's path form of `https://{id}.execute-api.{region}.amazonaws.com/api/…`.
 */
export function apiRouter(
  program: string,
  { emulator, apiId, uploads }: Origins,
  pages: Pages = () => undefined,
): EdgeRouter {
  const edgeFunction = loadEdgeFunction(program);
  return (request) => {
    const outcome = edgeFunction(request);
    if ('answer' in outcome) return outcome;
    const answer = pages(outcome.uri);
    if (answer !== undefined) return { answer };
    const { url = '' } = request;
    const path = outcome.uri + (url.includes('?') ? url.slice(url.indexOf('?')) : '');
    const byPath = UPLOAD_PATHS.some((pattern) => fits(outcome.uri, pattern)) ? UPLOAD_ORIGIN : API_ORIGIN;
    if ((outcome.origin ?? byPath) === UPLOAD_ORIGIN) return { upstream: { origin: uploads, path } };
    if (!path.startsWith('/api/')) return { answer: errorAnswer(NO_SUCH_PATH) };
    return { upstream: { origin: emulator, path: `/_aws/execute-api/${apiId}${path}` } };
  };
}

/** The `*` of a behaviour's path stands for any text, slashes too. */
function fits(uri: string, pattern: string): boolean {
  const [begin = '', end] = pattern.split('*');
  if (end === undefined) return uri === pattern;
  return uri.startsWith(begin) && uri.slice(begin.length).endsWith(end);
}

const NO_SUCH_PATH: EdgeError = {
  status: 404,
  errorType: 'not_found',
  message: UNKNOWN_PATH,
};

const FILE = join(BUNDLES, 'publish-console', SITE);

/**
 * Serves the console's files with the same headers as the bucket and the edge on AWS. Reads the published archive again
 * for each file, so that a new build shows at once.
 *
 * @param storage the origin that signed links point to
 */
export function consolePages(storage: string, file = FILE): Pages {
  const policy = contentSecurityPolicy([storage]);
  return (uri) => {
    if (uri !== CONSOLE_PATH && !uri.startsWith(`${CONSOLE_PATH}/`)) return undefined;
    const files = v.parse(siteSchema, readFileSync(file, 'utf8'));
    const found = files.find(({ key }) => uri === `/${key}`);
    if (found === undefined) return undefined;
    const { content_type, cache_control, body } = found;
    const headers = {
      'content-type': content_type,
      'cache-control': cache_control,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    };
    return { status: 200, headers, body };
  };
}
