/**
 * How long an upload may take, and what follows from it for everything in its way. In milliseconds.
 *
 * Node.js by itself ends a request after 5 minutes, which 100 MiB at 2.8 Mbit/s exceed, and an idle connection
 * after 5 seconds, while the load balancer still sends on it: a 502 now and then.
 */
export const REQUEST_TIMEOUT = 15 * 60_000;
/** The load balancer's limit for a connection on which nothing moves. */
export const LOAD_BALANCER_IDLE = 5 * 60_000;
/** The side that sends requests must be the one to close idle connections: ours live longer. */
export const KEEP_ALIVE_TIMEOUT = LOAD_BALANCER_IDLE + 10_000;
export const HEADERS_TIMEOUT = 65_000;
/** For a client that has gone without a word, or sends a byte now and then. */
export const SILENCE_TIMEOUT = 2 * 60_000;
/** ECS kills a container at the latest 120 s after it asked it to stop. */
export const STOP_TIMEOUT = 110_000;
