import * as v from 'valibot';
import { type Micros, micros } from './micros.ts';

const TEN_THOUSAND = 10_000;
const RULE = 'must be a share from 0 to 1, with at most 4 decimals';

/**
 * A share of a price: 0.1 is a tenth of it. With few decimals the product stays exact, up to nearly a million dollars.
 */
export const shareSchema = v.pipe(
  v.number(RULE),
  v.minValue(0, RULE),
  v.maxValue(1, RULE),
  v.check((share) => Math.round(share * TEN_THOUSAND) / TEN_THOUSAND === share, RULE),
);

/** Rounds up: a fraction of a micro-dollar is not taken off. */
export function afterDiscount(price: Micros, share: number): Micros {
  const parts = price * Math.round(share * TEN_THOUSAND);
  return micros(price - (parts - (parts % TEN_THOUSAND)) / TEN_THOUSAND);
}

/** The share as a stage's variable. */
export const shareVariable = v.pipe(v.string(), v.transform(Number), shareSchema);
