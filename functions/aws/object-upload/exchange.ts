import * as http from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Uint8Array[];
}

export interface S3Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

export interface Patience {
  readonly connectMilliseconds: number;
  /** How long nothing may move, while sending and before the answer. */
  readonly silenceMilliseconds: number;
}

/** Has this name so that it counts as an overload. */
class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

/** Many chunks go to the kernel at once, but not a whole part: TLS keeps two more copies of what it is given. */
const BATCH_BYTES = 1024 ** 2;

/**
 * One request to S3 over HTTP, as fast as the other side reads. Settles only once nothing reads the chunks any more: then
 * they may be overwritten.
 * @throws what broke the connection, or TimeoutError
 */
export function exchange(
  { method, url, headers, chunks }: S3Request,
  patience: Patience,
  signal: AbortSignal,
): Promise<S3Answer> {
  const isSecure = url.protocol === 'https:';
  const agent = AGENTS[isSecure ? 'https:' : 'http:'];
  const { promise, resolve, reject } = Promise.withResolvers<S3Answer>();
  const request = (isSecure ? https : http).request(url, { method, headers, agent, signal });
  const closed = new Promise<void>((done) => request.once('close', done));
  request.once('error', reject);
  request.once('response', (response) => {
    const { statusCode: status = 0, headers } = response;
    const answer = text(response).then((text) => ({ status, etag: headers.etag, text }));
    // A refusal may come before the body is sent; then the rest of the body is not sent.
    answer.then(resolve, reject).finally(() => request.writableFinished || request.destroy());
  });
  limitWaiting(request, patience);
  sendChunks(request, chunks);
  return promise.finally(() => closed);
}

function limitWaiting(request: http.ClientRequest, patience: Patience): void {
  const giveUp = (what: string) => request.destroy(new TimeoutError(`S3 ${what} in time`));
  request.setTimeout(patience.silenceMilliseconds, () => giveUp('did not answer'));
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(() => giveUp('could not be reached'), patience.connectMilliseconds);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop);
    request.once('close', stop);
  });
}

function sendChunks(request: http.ClientRequest, chunks: readonly Uint8Array[]): void {
  let next = 0;
  const sendBatch = () => {
    if (request.destroyed || request.writableEnded) return;
    request.cork();
    for (let batched = 0; batched < BATCH_BYTES; next++) {
      const chunk = chunks[next];
      if (chunk === undefined) break;
      batched += chunk.length;
      request.write(chunk);
    }
    request.uncork();
    if (next === chunks.length) request.end();
  };
  request.on('drain', sendBatch);
  sendBatch();
}
