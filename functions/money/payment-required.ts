import { PaymentRequired } from '../http/errors.ts';
import { CREDITS, isOfKey, type Shortfall } from './account.ts';
import { formatUsd, microsToUsd } from './micros.ts';
import { periodEnd } from './period.ts';

/** Says which limit has no room, for how much, and when it will have: what a caller can act upon. */
export function notAffordable(shortfall: Shortfall, estimateMicros: number, now: Date): PaymentRequired {
  const { account, interval, limitMicros, leftMicros } = shortfall;
  const scope = account === CREDITS ? 'credits' : isOfKey(shortfall) ? 'key' : 'workspace';
  const limit = {
    credits: 'the credits',
    key: `the key's ${interval} limit`,
    workspace: `the workspace's ${interval} budget`,
  }[scope];
  const resetsAt = periodEnd(interval, now)?.toISOString();
  return new PaymentRequired(
    `The estimate of ${formatUsd(estimateMicros)} does not fit what is left of ${limit}: ` +
      `${formatUsd(leftMicros)} of ${formatUsd(limitMicros)}`,
    {
      metadata: {
        scope,
        interval,
        estimate_usd: microsToUsd(estimateMicros),
        remaining_usd: microsToUsd(leftMicros),
        limit_usd: microsToUsd(limitMicros),
        ...(resetsAt === undefined ? {} : { resets_at: resetsAt }),
      },
    },
  );
}
