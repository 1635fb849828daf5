import * as v from 'valibot';
import { usd } from '../http/answer-schemas.ts';
import { characters } from '../http/validation.ts';
import type { WholeCredits } from './lease-store.ts';
import { micros, microsToUsd, plus, roomIn, usdAmount } from './micros.ts';

export const grantSchema = v.object({
  amount_usd: usdAmount(
    'more than zero',
    'Amount to add to the credits, in USD with at most 6 decimals. All grants together can be at most a billion USD',
  ),
  note: v.nullish(v.pipe(characters(0, 500), v.description('Reason, stored with the grant')), null),
});

/** Credits as answers show them. */
export const shownCreditsSchema = v.object({
  total_credits: usd,
  total_usage: v.pipe(
    v.number(),
    v.description(
      'Total cost of all jobs, in USD. Includes jobs that used no credits: those on your own provider keys, and those from before the first grant',
    ),
  ),
  reserved: v.pipe(v.number(), v.description('Credits that open jobs hold, in USD')),
  remaining: v.pipe(
    v.nullable(v.number()),
    v.description('Amount available to new jobs, in USD. Null until credits are granted'),
  ),
});

/** What has been granted, what jobs have cost, and what is left. Jobs that began before the first grant used none of it. */
export function describeCredits({ limits, lifetime, reserved, uncredited }: WholeCredits) {
  const none = micros(0);
  const { committed, spent, byok } = lifetime ?? { committed: none, spent: none, byok: none };
  const granted = limits.lifetime?.micros;
  return {
    total_credits: microsToUsd(granted ?? none),
    total_usage: microsToUsd(plus(spent, byok, uncredited)),
    reserved: microsToUsd(reserved),
    remaining: granted === undefined ? null : microsToUsd(roomIn(granted, committed)),
  };
}
