import { PaymentRequired, RateLimited } from '../http/errors.ts';
import { CREDITS, isOfGuardrail, isOfKey, type Shortfall } from './account.ts';
import { formatUsd, type Micros, microsToUsd } from './micros.ts';
import { periodEnd } from './period.ts';

/** Nobody can tell whether there is room: the accounts change faster than they can be read. */
export const tooManySubmits = () =>
  new RateLimited('Too many videos are being submitted at the moment; try again', {
    headers: { 'retry-after': '1' },
  });

/** Says which limit has no room, how much is needed, and when there will be room, so that the caller can act on it. */
export function notAffordable(shortfall: Shortfall, estimateMicros: Micros, now: Date): PaymentRequired {
  const { interval, limitMicros, leftMicros } = shortfall;
  const scope = scopeOf(shortfall);
  const limit = {
    credits: 'the credits',
    key: `the key’s ${interval} limit`,
    workspace: `the workspace’s ${interval} budget`,
    guardrail: `the guardrail’s ${interval} limit`,
  }[scope];
  return new PaymentRequired(
    `The maximum cost of ${formatUsd(estimateMicros)} exceeds the remaining amount of ${limit}: ` +
      `${formatUsd(leftMicros)} of ${formatUsd(limitMicros)}`,
    {
      metadata: {
        scope,
        interval,
        estimate_usd: microsToUsd(estimateMicros),
        remaining_usd: microsToUsd(leftMicros),
        limit_usd: microsToUsd(limitMicros),
        resets_at: periodEnd(interval, now)?.toISOString(),
      },
    },
  );
}

function scopeOf(shortfall: Shortfall) {
  if (shortfall.account === CREDITS) return 'credits';
  if (isOfKey(shortfall)) return 'key';
  return isOfGuardrail(shortfall) ? 'guardrail' : 'workspace';
}
