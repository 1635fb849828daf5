const ACCEPTABLE = /^[!-~]{1,128}$/;

/** A caller's own id is kept when it is safe to echo and to log; else ours is used. */
export function requestId(fromCaller: string | undefined, ours: string): string {
  return fromCaller !== undefined && ACCEPTABLE.test(fromCaller) ? fromCaller : ours;
}
