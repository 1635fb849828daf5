import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DrainLimits } from '../fair-shares.ts';
import { InvalidRequest } from './errors.ts';
import { type ApiResponse, errorResponse } from './response.ts';

/** How long a client that goes on sending has to read our answer, before the connection is reset. */
const LINGER_MILLISECONDS = 1_000;

/**
 * Sends an answer, even while the request's body is still coming in. A connection that is closed with unread bytes is
 * reset, and a client that is busy sending sees the reset instead of the answer. So the answer goes out whole, the body
 * is read and dropped within limits, and only then the connection is closed.
 */
export async function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ApiResponse,
  limits: DrainLimits,
): Promise<void> {
  if (response.destroyed || response.headersSent) return;
  if (!request.complete) response.setHeader('connection', 'close');
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.write(body);
  if (!request.complete) await drain(request, limits);
  response.end();
}

function drain(request: IncomingMessage, { bytes, milliseconds }: DrainLimits): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    let timer = setTimeout(finish, milliseconds);
    request.unpipe();
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left >= 0) return;
      // From here on nothing is read: the sender's own buffers fill, at no cost to us.
      request.pause();
      clearTimeout(timer);
      timer = setTimeout(finish, Math.min(milliseconds, LINGER_MILLISECONDS));
    });
    request.once('end', finish);
    request.once('close', finish);
    request.resume();

    function finish(): void {
      clearTimeout(timer);
      request.pause();
      resolve();
    }
  });
}

/** By the codes of Node.js. */
const CLIENT_ERRORS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
  HPE_HEADER_OVERFLOW: 'The URL and headers of the request are too long',
};

/** Answers malformed or late HTTP too, where the connection can still carry an answer. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusal = new InvalidRequest(CLIENT_ERRORS[error.code ?? ''] ?? 'The request is malformed HTTP');
  const { headers, body } = errorResponse(refusal);
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
