import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DRAIN } from '../../functions/fair-shares.ts';
import { sendAnswer } from '../../functions/http/send-answer.ts';
import type { StateFolder } from '../state-folder.ts';
import { listenFailure, ownHosts } from '../system/ports.ts';
import { type AnsweredRequest, onAnswered } from './answered-request.ts';
import {
  type EdgeAnswer,
  type EdgeError,
  errorAnswer,
  sendEdgeAnswer,
  unsharedAnswer,
} from './edge-answer.ts';
import { forward, type Upstream } from './forward.ts';

/** What the edge does with a request: forward it to an upstream, respond itself, or let somebody respond. */
export type EdgeDecision =
  | { readonly upstream: Upstream }
  | { readonly answer: EdgeAnswer }
  | { readonly serve: (response: ServerResponse) => Promise<void> };
export type EdgeRouter = (request: IncomingMessage) => EdgeDecision;

/** The one address that callers use, like CloudFront on AWS. */
export interface Edge {
  /** Such as `http://127.0.0.1:8787`. */
  readonly url: string;
  /** Until this is called, every request gets a 503. */
  serve(router: EdgeRouter): void;
  /** Also ends running requests. */
  close(): Promise<void>;
}

const NOT_READY: EdgeError = {
  status: 503,
  errorType: 'service_unavailable',
  message: 'The local run is still starting; try again in a moment',
};

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

/**
 * Listens at once and serves later, so that a taken port is found before anything else starts.
 *
 * @param warn gets a message when an upstream fails
 * @param secret proves to the functions that a request came through this edge
 * @param answered gets every request after its response has ended
 * @throws LocalRunError if the port is taken
 */
export async function openEdge(
  port: number,
  warn: (text: string) => void,
  secret: string,
  answered: (request: AnsweredRequest) => void = () => undefined,
): Promise<Edge> {
  let route: EdgeRouter = () => ({ answer: errorAnswer(NOT_READY) });
  const server = createServer(TIMES, (request, response) => handle(request, response));
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(port, error);
  }
  const bound = portOf(server) ?? port;
  const url = `http://127.0.0.1:${bound}`;
  const hosts = ownHosts(bound);
  function handle(request: IncomingMessage, response: ServerResponse): void {
    onAnswered(request, response, answered);
    const isOurs = hosts.includes(request.headers.host?.toLowerCase() ?? '');
    const decision = isOurs ? route(request) : { answer: unsharedAnswer(foreignHost(hosts)) };
    if ('answer' in decision) answerItself(request, response, decision.answer);
    else if ('serve' in decision) void decision.serve(response);
    else forward(request, response, decision.upstream, { publicUrl: url, secret, warn });
  }

  let closed: Promise<unknown> | undefined;
  return {
    url,
    serve: (router) => {
      route = router;
    },
    close: async () => {
      closed ??= once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Reads the body first: a caller that is still sending would see the connection end before the response. */
function answerItself(request: IncomingMessage, response: ServerResponse, answer: EdgeAnswer): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length === '0' && coding === undefined) sendEdgeAnswer(response, answer);
  else void sendAnswer(request, response, answer, DRAIN.unknown);
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
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
