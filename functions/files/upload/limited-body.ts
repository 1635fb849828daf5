import { type Readable, Transform, type TransformCallback } from 'node:stream';
import { ApiError, InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { LARGEST_BODY, LARGEST_FILE, tooLarge } from './size-limits.ts';

/**
 * A request body that fails where it grows too long: a length may be absent, or a lie. Its failure leaves
 * the source alone, which on a socket must still carry the answer.
 *
 * @throws InvalidRequest when the source has ended before its time, as it would never speak again
 */
export function limitedBody(source: Readable, limit = LARGEST_BODY): Readable {
  if (source.destroyed) throw new InvalidRequest('The request was cut off');
  const body = new LimitedBody(limit);
  // Who reads it hears of its failure too; a failure that comes after the reading must not end the process.
  body.on('error', () => undefined);
  source.once('error', (cause) => body.destroy(refusalOf(cause)));
  return source.pipe(body);
}

/** A source may know itself what was wrong with it; any other failure is the connection's. */
const refusalOf = (cause: unknown): ApiError =>
  cause instanceof ApiError ? cause : new InvalidRequest('The request was cut off', { cause });

class LimitedBody extends Transform {
  #left: number;

  constructor(limit: number) {
    super();
    this.#left = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#left -= chunk.length;
    if (this.#left < 0) done(new PayloadTooLarge(tooLarge(LARGEST_FILE)));
    else done(null, chunk);
  }
}
