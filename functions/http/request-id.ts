const ACCEPTABLE = /^[!-~]{1,128}$/;

/** Keeps a caller's own id if it is safe to echo and to log; otherwise makes one. */
export function requestId(fromCaller: string | undefined, ours: string): string {
  return fromCaller !== undefined && ACCEPTABLE.test(fromCaller) ? fromCaller : ours;
}
