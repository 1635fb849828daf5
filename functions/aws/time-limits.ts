import * as v from 'valibot';
import { setting } from '../environment.ts';

/** A connection within a region takes a few milliseconds. */
const CONNECT_MILLISECONDS = 1_000;

/** An emulator shares the cores of its machine with all who call it. */
const patienceSchema = v.optional(v.pipe(v.string(), v.transform(Number), v.minValue(1)), '1');

/**
 * How long a client waits for AWS: for a connection, for an answer to begin, and for each next piece of it. Without
 * limits one stalled connection would hold a request, or a whole batch of messages, until its function is ended. The
 * client tries again within these limits, which is safe: all our writes may be repeated.
 */
export function answeringWithin(milliseconds: number) {
  const patience = setting('awsPatience', patienceSchema);
  return {
    connectionTimeout: CONNECT_MILLISECONDS * patience,
    requestTimeout: milliseconds * patience,
    socketTimeout: milliseconds * patience,
    throwOnRequestTimeout: true,
  };
}
