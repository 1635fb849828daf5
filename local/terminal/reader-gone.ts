import type { Writable } from 'node:stream';
import { errorCode } from '../failure.ts';

/**
 * Calls `stop` when the reader of the output has gone, as `head` does after its last line. What is written afterwards
 * is lost, which does no harm.
 */
export function stopWithoutReader(streams: readonly Writable[], stop: () => void): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
      stop();
    });
  }
}
