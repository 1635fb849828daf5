/** A connection within a region takes a few milliseconds. */
const CONNECT_MILLISECONDS = 1_000;

/**
 * How long a client waits for AWS: for a connection, for an answer to begin, and for each next piece of it. Without
 * limits one stalled connection holds a request, or a whole batch of messages, until its function is ended. The
 * client tries again within them, which is safe: every write of ours may be repeated.
 */
export const answeringWithin = (milliseconds: number) => ({
  connectionTimeout: CONNECT_MILLISECONDS,
  requestTimeout: milliseconds,
  socketTimeout: milliseconds,
  throwOnRequestTimeout: true,
});
