import { Agent, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { text } from 'node:stream/consumers';
import { errorCode } from '../system/failure.ts';
import { senderOf } from './answered-request.ts';
import { answerError, type EdgeError } from './edge-answer.ts';
import { type EdgeIdentity, requestHeaders, responseHeaders } from './headers.ts';

/** Where the edge forwards a request. */
export interface Upstream {
  /** Such as `http://127.0.0.1:4566`. */
  readonly origin: string;
  /** The path and query there. */
  readonly path: string;
}

export interface ForwardOptions extends Omit<EdgeIdentity, 'viewerAddress'> {
  readonly warn: (text: string) => void;
}

/** The emulator closes idle connections after 75 s. We close them earlier, so that we never use one while it closes. */
const agent = new Agent({ keepAlive: true, timeout: 60_000 });

/** Forwards a request and its response, both as streams. */
export function forward(
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
