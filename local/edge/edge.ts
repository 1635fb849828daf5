import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as openRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DRAIN } from '../../functions/fair-shares.ts';
import type { UnauthenticatedBudget } from '../../functions/gate/unauthenticated-budget.ts';
import { sendAnswer } from '../../functions/http/send-answer.ts';
import { errorCode } from '../system/failure.ts';
import { listen, ownHosts } from '../system/ports.ts';
import type { StateFolder } from '../system/state-folder.ts';
import { type AnsweredRequest, onAnswered, PAGE_OF_ANOTHER_SITE, senderOf } from './answered-request.ts';
import {
  answerError,
  type EdgeAnswer,
  type EdgeError,
  errorAnswer,
  refusalAnswer,
  sendEdgeAnswer,
  unsharedAnswer,
} from './edge-answer.ts';
import { type EdgeIdentity, requestHeaders, responseHeaders } from './headers.ts';

export interface EdgeOptions {
  /** 0 means any free port. */
  readonly port: number;
  /** Proves to the functions that a request came through this edge. */
  readonly secret: string;
  /** Gets a message when an upstream fails. @default dropped */
  readonly warn?: (text: string) => void;
  /** Gets every request after its response has ended. @default dropped */
  readonly answered?: (request: AnsweredRequest) => void;
  /** How many 401s the pages of other sites get together. @default any number */
  readonly budget?: UnauthenticatedBudget;
}

/** What the edge does with a request: forward it to an upstream, respond itself, or let somebody respond. */
export type EdgeDecision =
  | { readonly upstream: Upstream }
  | { readonly answer: EdgeAnswer }
  | { readonly serve: (response: ServerResponse) => Promise<void> };
export type EdgeRouter = (request: IncomingMessage) => EdgeDecision;

const NOT_READY: EdgeError = {
  status: 503,
  errorType: 'service_unavailable',
  message: 'The local stage is still starting; try again in a moment',
};

const ONLY_CALLBACKS: EdgeError = {
  status: 403,
  errorType: 'permission_denied',
  message: 'This address is only for the callbacks of providers',
};

const CALLBACK = /^\/api\/v1\/callbacks\/[\w-]+\.[\w-]+$/;

const foreignHost = (hosts: readonly string[]): EdgeError => ({
  status: 403,
  errorType: 'permission_denied',
  message: `The Host header must be ${hosts.join(' or ')}`,
});

/**
 * Uploads get unlimited time, as on AWS, where nothing in front of them has Node's limit of five minutes. Idle
 * connections stay open longer than clients use them, as with load balancers; otherwise a client could send a request
 * while the connection closes.
 */
const TIMES = { requestTimeout: 0, keepAliveTimeout: 75_000 };

/** Listens at once and serves later, so that a taken port is found before anything else starts. @throws LocalRunError */
export async function openEdge(options: EdgeOptions): Promise<Edge> {
  const server = createServer(TIMES);
  return new Edge(server, await listen(server, options.port), options);
}

/** The one address that callers use, like CloudFront on AWS. */
export class Edge {
  /** Such as `http://127.0.0.1:8787`. */
  readonly url: string;
  readonly #server: Server;
  readonly #hosts: readonly string[];
  readonly #options: EdgeOptions;
  #closed: Promise<unknown> | undefined;
  #route: EdgeRouter = () => ({ answer: errorAnswer(NOT_READY) });
  #tunnel: string | undefined;

  constructor(server: Server, port: number, options: EdgeOptions) {
    this.url = `http://127.0.0.1:${port}`;
    this.#server = server.on('request', (request, response) => this.#handle(request, response));
    this.#hosts = ownHosts(port);
    this.#options = options;
  }

  /**
   * Until this is called, every request gets a 503.
   * @param tunnel an address that leads here from everywhere, so it serves nothing but the callbacks of providers
   */
  serve(router: EdgeRouter, tunnel?: string): void {
    this.#route = router;
    this.#tunnel = URL.parse(tunnel ?? '')?.host;
  }

  /** Also ends running requests. */
  async close(): Promise<void> {
    this.#closed ??= once(this.#server.close(), 'close');
    this.#server.closeAllConnections();
    await this.#closed;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const { secret, warn = ignore, answered = ignore, budget } = this.#options;
    onAnswered(request, response, (one) => {
      if (one.status === 401) budget?.count(one.address);
      answered(one);
    });
    const decision = this.#decide(request);
    if ('answer' in decision) answerItself(request, response, decision.answer);
    else if ('serve' in decision) void decision.serve(response);
    else forward(request, response, decision.upstream, { publicUrl: this.url, secret, warn });
  }

  #decide(request: IncomingMessage): EdgeDecision {
    const host = request.headers.host?.toLowerCase() ?? '';
    const isOurs = this.#hosts.includes(host);
    if (!isOurs && host === this.#tunnel) return this.#decideForTunnel(request);
    if (!isOurs) return { answer: unsharedAnswer(foreignHost(this.#hosts)) };
    // Not by the machine's own address: any of its users could keep the developer out.
    const sender = senderOf(request);
    const isLimited = sender === PAGE_OF_ANOTHER_SITE;
    const refusal = isLimited ? this.#options.budget?.refusalOf(sender) : undefined;
    return refusal === undefined ? this.#route(request) : { answer: refusalAnswer(refusal) };
  }

  #decideForTunnel(request: IncomingMessage): EdgeDecision {
    const isCallback = request.method === 'POST' && CALLBACK.test(request.url ?? '');
    return isCallback ? this.#route(request) : { answer: unsharedAnswer(ONLY_CALLBACKS) };
  }
}

/** Reads the body first: a caller that is still sending would see the connection end before the response. */
function answerItself(request: IncomingMessage, response: ServerResponse, answer: EdgeAnswer): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) sendEdgeAnswer(response, answer);
  else void sendAnswer(request, response, answer, DRAIN.unknown);
}

function ignore(): void {
  // The default for callers that do not want these messages.
}

interface EdgeSecret {
  readonly text: string;
  /** The digest that functions compare the secret with. */
  readonly sha256: string;
}

/** The secret with which the edge of this run proves itself. It is kept, because a new one would redeploy every function. */
export async function edgeSecret({ emulator }: StateFolder): Promise<EdgeSecret> {
  const text = (await readFile(emulator.secretFile, 'utf8').catch(() => '')) || (await makeSecret(emulator));
  return { text, sha256: createHash('sha256').update(text).digest('hex') };
}

async function makeSecret({ root, secretFile }: StateFolder['emulator']): Promise<string> {
  const text = randomBytes(32).toString('base64url');
  await mkdir(root, { recursive: true, mode: 0o700 });
  await writeFile(secretFile, text, { mode: 0o600 });
  return text;
}

/** Where the edge forwards a request. */
interface Upstream {
  /** Such as `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** The path and query there. */
  readonly path: string;
}

interface ForwardOptions extends Omit<EdgeIdentity, 'viewerAddress'> {
  readonly warn: (text: string) => void;
}

/** The emulator closes idle connections after 75 s. We close them earlier, so that we never use one while it closes. */
const agent = new Agent({ keepAlive: true, timeout: 60_000 });

/** Forwards a request and its response, both as streams. */
function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { origin, path }: Upstream,
  { warn, ...edge }: ForwardOptions,
): void {
  const target = new URL(origin);
  const upstream = openRequest({
    agent,
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path,
    headers: requestHeaders(incoming.headersDistinct, {
      ...edge,
      viewerAddress: senderOf(incoming),
    }),
  });
  let isAnswered = false;
  upstream.once('response', (answer) => {
    isAnswered = true;
    if (isOurs(answer)) sendBack(answer, outgoing);
    else void replaceError(answer, outgoing, warn);
  });
  upstream.on('error', (error) => {
    // After a response, an error of the body no longer matters; and a response that breaks off shows that itself.
    if (isAnswered || outgoing.destroyed) return;
    warn(`Could not reach ${origin}: ${error.message}`);
    answerError(outgoing, unreachable(error));
  });
  outgoing.once('close', () => upstream.destroy());
  // An upstream may respond and close before it has the whole body; the caller must still get that response.
  upstream.once('close', () => incoming.unpipe(upstream).resume());
  incoming.pipe(upstream);
}

/** Every response of a function has a request id. An error without one comes from the emulator. */
function isOurs(answer: IncomingMessage): boolean {
  return (answer.statusCode ?? 502) < 400 || answer.headers['x-request-id'] !== undefined;
}

function sendBack(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, responseHeaders(answer.headersDistinct));
  pipeline(answer, outgoing, () => undefined);
}

/** On AWS, API Gateway uses its gateway responses here. The emulator stores them, but does not apply them. */
async function replaceError(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  warn: (text: string) => void,
): Promise<void> {
  const status = answer.statusCode ?? 502;
  const said = await text(answer).catch((error: Error) => error.message);
  warn(`the emulator answered ${status}: ${said.slice(0, 2000)}`);
  if (outgoing.destroyed) return;
  answerError(outgoing, status < 500 ? { ...REFUSED, status } : FAILED);
}

const REFUSED: Omit<EdgeError, 'status'> = {
  errorType: 'invalid_request',
  message: 'The emulator refused the request before it reached a function',
};
const FAILED: EdgeError = {
  status: 502,
  errorType: 'server',
  message: 'The function behind this path failed; its log says why',
};

function unreachable(error: Error): EdgeError {
  return errorCode(error) === 'ECONNREFUSED'
    ? {
        status: 503,
        errorType: 'service_unavailable',
        message: 'The server behind this path is not running',
      }
    : { status: 502, errorType: 'server', message: 'The server behind this path did not answer' };
}
