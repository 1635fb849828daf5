import * as v from 'valibot';

/**
 * Money: whole micro-dollars (millionths of a US dollar). Dollars appear only at the API's edge. For the compiler a
 * number is money if it was parsed as such or a function of this file made it.
 */
export const microsSchema = v.pipe(v.number(), v.safeInteger(), v.brand('Micros'));
export type Micros = v.InferOutput<typeof microsSchema>;

/** What a second of video costs: at most a thousand dollars, so that no product of it is too large to be exact. */
export const priceSchema = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.maxValue(1_000_000_000),
  v.brand('Micros'),
);

/** @throws for a fraction: whoever divides decides how to round */
export const micros = (amount: number): Micros => v.parse(microsSchema, amount);

export const plus = (...amounts: readonly Micros[]): Micros => total(amounts, (amount) => amount);

export const minus = (amount: Micros, taken: Micros): Micros => micros(amount - taken);

export const times = (price: Micros, factor: number): Micros => micros(price * factor);

export const total = <T>(all: readonly T[], amountOf: (each: T) => Micros): Micros =>
  micros(all.reduce((sum, each) => sum + amountOf(each), 0));

export const least = (...amounts: readonly [Micros, ...Micros[]]): Micros => micros(Math.min(...amounts));

export const most = (...amounts: readonly [Micros, ...Micros[]]): Micros => micros(Math.max(...amounts));

/** What is left of a limit: nothing where more is used, because the limit was lowered. */
export const roomIn = (limit: Micros, used: Micros): Micros => micros(Math.max(0, limit - used));

const PER_USD = 1_000_000;

/** A billion dollars: in micro-dollars far below what a number can hold exactly. */
const MOST_USD = 1_000_000_000;

export const microsToUsd = (amount: Micros): number => amount / PER_USD;

const toWhole = (usd: number): number => Math.round(usd * PER_USD);

/** Rounds only what binary fractions add: `usdAmount` accepts no finer amounts. */
export const usdToMicros = (usd: number): Micros => micros(toWhole(usd));

/** More than anybody grants or limits. */
export const MOST_MICROS = usdToMicros(MOST_USD);

/** An amount that a caller gives in USD. */
export function usdAmount(least: 'zero' | 'more than zero', says = 'Amount in USD, with at most 6 decimals') {
  const rule = `must be an amount in USD, ${least === 'zero' ? 'at least 0' : 'more than 0'} and at most a billion, with at most 6 decimals`;
  return v.pipe(
    v.number(rule),
    v.finite(rule),
    v.check((usd) => (least === 'zero' ? usd >= 0 : usd > 0) && usd <= MOST_USD, rule),
    v.check((usd) => toWhole(usd) / PER_USD === usd, rule),
    v.metadata({
      [least === 'zero' ? 'minimum' : 'exclusiveMinimum']: 0,
      maximum: MOST_USD,
      description: says,
    }),
    v.transform(usdToMicros),
  );
}

/** For messages: `$0.04`, `$1,250.00`, `$0.000001`. */
export function formatUsd(amount: Micros): string {
  return microsToUsd(amount).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: 6,
  });
}

const TEN_THOUSAND = 10_000;
const SHARE_RULE = 'must be a number from 0 to 1, with at most 4 decimals';

/**
 * A share of a price: 0.1 is a tenth of it. With few decimals the product stays exact, up to nearly a million dollars.
 */
export const shareSchema = v.pipe(
  v.number(SHARE_RULE),
  v.minValue(0, SHARE_RULE),
  v.maxValue(1, SHARE_RULE),
  v.check((share) => Math.round(share * TEN_THOUSAND) / TEN_THOUSAND === share, SHARE_RULE),
);

/** Rounds up: a fraction of a micro-dollar is not taken off. */
export function afterDiscount(price: Micros, share: number): Micros {
  const parts = price * Math.round(share * TEN_THOUSAND);
  return micros(price - (parts - (parts % TEN_THOUSAND)) / TEN_THOUSAND);
}

/** The share as a stage's variable. */
export const shareVariable = v.pipe(v.string(), v.transform(Number), shareSchema);
