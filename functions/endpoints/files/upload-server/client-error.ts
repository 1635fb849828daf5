import type { Duplex } from 'node:stream';
import { InvalidRequest } from '../../../http/errors.ts';
import { errorResponse } from '../../../http/response.ts';

/** What is no HTTP, or did not come in time, gets our error body as far as the connection still carries one. */
export function answerClientError(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = new InvalidRequest(
    late ? 'The request took too long to arrive' : 'The request is malformed HTTP',
  );
  const { headers, body } = errorResponse(refusal);
  const fields = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}
