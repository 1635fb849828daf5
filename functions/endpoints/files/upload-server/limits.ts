/**
 * How long an upload may take, and what follows for everything in its way, in milliseconds. Node.js by itself ends a
 * request after 5 minutes, and 100 MiB at 2.8 Mbit/s take longer. It ends an idle connection after 5 seconds, when the
 * load balancer may still send on it: that would be an occasional 502.
 */
export const REQUEST_TIMEOUT = 15 * 60_000;
/** After this long the load balancer closes a connection on which nothing moves. */
export const LOAD_BALANCER_IDLE = 5 * 60_000;
/** The side that sends requests must be the one that closes idle connections, so ours live longer. */
export const KEEP_ALIVE_TIMEOUT = LOAD_BALANCER_IDLE + 10_000;
export const HEADERS_TIMEOUT = 65_000;
/** For a client that has vanished, or that sends a byte now and then. */
export const SILENCE_TIMEOUT = 2 * 60_000;
/** ECS kills a container 120 s after it has asked it to stop. */
export const STOP_TIMEOUT = 110_000;
