import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiResponse } from '../../../http/response.ts';

/** How much of a body that nobody wants is still read, and for how long. */
export interface DrainLimits {
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Sends an answer, also when the request's body is still coming in. Closing a connection with unread bytes
 * in it resets it, and a client that is busy sending would see the reset and not the answer. So the answer
 * goes out whole, the body is read and dropped for a while, and only then the connection is closed.
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
    const timer = setTimeout(finish, milliseconds);
    request.unpipe();
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) finish();
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
