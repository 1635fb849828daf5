import { EXTRA_DELIVERIES } from '../../fair-shares.ts';
import { rateLimiter } from '../../gate/deployed.ts';

/**
 * Takes from a workspace's allowance of deliveries beyond those of its jobs.
 * @throws RateLimited
 */
export function extraDeliveries(what: keyof typeof EXTRA_DELIVERIES): (workspaceId: string) => Promise<void> {
  const limiter = rateLimiter();
  return (workspaceId) => limiter.takeOfWorkspace(workspaceId, what, EXTRA_DELIVERIES[what]);
}
