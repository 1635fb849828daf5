import * as http from 'node:http';
import * as https from 'node:https';
import type { Duplex } from 'node:stream';
import { readAtMost } from '../../byte-streams.ts';

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
  /** How long all of it may take, even if something moves now and then. */
  readonly wholeMilliseconds: number;
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

/** S3 answers these requests with less than a thousand bytes. */
const LONGEST_ANSWER = 64 * 1024;

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
    const isEarly = !request.writableEnded;
    // A refusal may come before the body is sent; then the rest of the body is not sent.
    readAnswer(response, isEarly)
      .then(resolve, reject)
      .finally(() => request.writableFinished || request.destroy());
  });
  // Without a listener for it, Node.js would only close the connection.
  request.once('upgrade', (_, socket: Duplex) => {
    socket.destroy();
    reject(new Error('S3 switched to another protocol'));
  });
  limitWaiting(request, patience);
  sendChunks(request, chunks);
  return promise.finally(() => closed);
}

async function readAnswer(response: http.IncomingMessage, isEarly: boolean): Promise<S3Answer> {
  const { statusCode: status = 0, headers } = response;
  const body = await readAtMost(response, LONGEST_ANSWER);
  if (body === undefined) throw new Error(`S3’s ${status} response exceeds the maximum length`);
  if (isEarly && status < 300) throw new Error('S3 reported success before the whole body was sent');
  return { status, etag: headers.etag, text: body.toString() };
}

function limitWaiting(request: http.ClientRequest, patience: Patience): void {
  const giveUp = (what: string) => request.destroy(new TimeoutError(`S3 ${what} in time`));
  const end = setTimeout(() => giveUp('did not finish'), patience.wholeMilliseconds);
  request.once('close', () => clearTimeout(end));
  request.setTimeout(patience.silenceMilliseconds, () => giveUp('did not respond'));
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
