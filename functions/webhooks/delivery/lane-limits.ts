/** How many requests one workspace may have under way: in all, and to one host. */
export interface LaneLimits {
  readonly workspace: number;
  readonly host: number;
}

/** A receiver may not like more at once. */
const MOST_TO_A_HOST = 10;

/**
 * A receiver that hangs occupies a deliverer for as long as it is allowed to. So one workspace has half of them at
 * most, and each of its hosts half of that.
 * @param deliverers how many work at once
 */
export function laneLimits(deliverers: number): LaneLimits {
  const workspace = Math.max(1, Math.floor(deliverers / 2));
  return { workspace, host: Math.min(MOST_TO_A_HOST, Math.ceil(workspace / 2)) };
}
