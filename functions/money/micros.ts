import * as v from 'valibot';

/** Money is whole micro-dollars (millionths of a US dollar) everywhere but at the API's edge. */
const PER_USD = 1_000_000;

/** A billion dollars: in micro-dollars far below what a number holds exactly. */
const MOST_USD = 1_000_000_000;

export const microsToUsd = (micros: number): number => micros / PER_USD;

/** Rounding only takes back what binary fractions add: `usd` lets no finer amount in. */
export const usdToMicros = (usd: number): number => Math.round(usd * PER_USD);

/** An amount that a caller gives in USD, as micro-dollars. */
export function usdAmount(least: 'zero' | 'more than zero') {
  const rule = `must be an amount in USD: ${least === 'zero' ? 'zero' : 'more than zero'} to a billion, with at most 6 decimals`;
  return v.pipe(
    v.number(rule),
    v.finite(rule),
    v.check((usd) => (least === 'zero' ? usd >= 0 : usd > 0) && usd <= MOST_USD, rule),
    v.check((usd) => usdToMicros(usd) / PER_USD === usd, rule),
    v.metadata({
      [least === 'zero' ? 'minimum' : 'exclusiveMinimum']: 0,
      maximum: MOST_USD,
      description: 'In USD, with at most 6 decimals',
    }),
    v.transform(usdToMicros),
  );
}

/** For messages: `$0.04`, `$1,250.00`, `$0.000001`. */
export function formatUsd(micros: number): string {
  return microsToUsd(micros).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
  });
}
