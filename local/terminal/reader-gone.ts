import type { Writable } from 'node:stream';
import { errorCode } from '../system/error-code.ts';

/**
 * Stops what writes for a reader that has gone, as `head` goes when it has its lines. What is still written meanwhile
 * is lost and harms nobody.
 */
export function stopWithoutReader(streams: readonly Writable[], stop: () => void): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
      stop();
    });
  }
}
