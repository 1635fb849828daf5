/** The requests that one workspace may have under way: in all, and to one host. */
export interface LaneLimits {
  readonly workspace: number;
  readonly host: number;
}

/** A receiver may mind more at once. */
const MOST_TO_A_HOST = 10;

/**
 * A receiver that hangs keeps a deliverer for as long as it may. So one workspace keeps half of them at most,
 * and one host of its own half of that.
 *
 * @param deliverers how many work at once
 */
export function laneLimits(deliverers: number): LaneLimits {
  const workspace = Math.max(1, Math.floor(deliverers / 2));
  return { workspace, host: Math.min(MOST_TO_A_HOST, Math.ceil(workspace / 2)) };
}
