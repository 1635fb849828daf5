import * as v from 'valibot';
import { usd } from '../http/answer-schemas.ts';
import { characters } from '../http/validation.ts';
import type { Account } from '../money/account.ts';
import { micros, microsToUsd, plus, usdAmount } from '../money/micros.ts';

export const grantSchema = v.object({
  amount_usd: usdAmount('more than zero'),
  note: v.nullish(characters(0, 500), null),
});

/** Credits as answers show them. */
export const shownCreditsSchema = v.object({
  total_credits: usd,
  total_usage: usd,
  reserved: v.pipe(v.number(), v.description('Held by open jobs')),
});

/** What has been granted, and what jobs have cost since the first grant. */
export function describeCredits({ limits, lifetime, reserved }: Account) {
  return {
    total_credits: microsToUsd(limits.lifetime?.micros ?? micros(0)),
    total_usage: microsToUsd(lifetime === undefined ? micros(0) : plus(lifetime.spent, lifetime.byok)),
    /** Held by open jobs. */
    reserved: microsToUsd(reserved),
  };
}
