import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { Pace } from '../../../fair-shares.ts';
import { InvalidRequest } from '../../../http/errors.ts';

const CHECK_MILLISECONDS = 1_000;

/**
 * A request's body that fails where it comes too slowly, because it holds a place meanwhile. Only the time counts
 * in which we wait for the sender: what waits for us to read it is not late.
 *
 * @param checkMilliseconds how often it is looked at
 */
export function pacedBody(source: Readable, pace: Pace, checkMilliseconds = CHECK_MILLISECONDS): Readable {
  const body = new PacedBody();
  // Who reads it hears of its failure too; a failure that comes after the reading must not end the process.
  body.on('error', () => undefined);
  source.once('error', (cause) => body.destroy(cause));
  if (source.destroyed) body.destroy(new InvalidRequest('The request was cut off'));
  let waited = 0;
  const timer = setInterval(() => {
    if (source.readableLength + body.writableLength + body.readableLength > 0) return;
    waited += checkMilliseconds;
    const expected = (pace.bytesPerSecond * waited) / 1000;
    if (waited >= pace.graceMilliseconds && body.received < expected) body.destroy(tooSlow(pace));
  }, checkMilliseconds);
  // Whichever comes first: who refuses a body leaves it unread, and it never ends.
  for (const stream of [source, body]) stream.once('close', () => clearInterval(timer));
  return source.pipe(body);
}

class PacedBody extends Transform {
  received = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.received += chunk.length;
    done(null, chunk);
  }
}

const tooSlow = ({ bytesPerSecond, graceMilliseconds }: Pace): InvalidRequest =>
  new InvalidRequest(
    `The body came too slowly: after ${graceMilliseconds / 1000} s it must have come with ${bytesPerSecond} bytes a second`,
  );
