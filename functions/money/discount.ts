import * as v from 'valibot';

const TEN_THOUSAND = 10_000;
const RULE = 'must be a share from 0 to 1, with at most 4 decimals';

/** A part of a price, 0.1 for a tenth of it. Few decimals keep what follows whole, up to nearly a million dollars. */
export const shareSchema = v.pipe(
  v.number(RULE),
  v.minValue(0, RULE),
  v.maxValue(1, RULE),
  v.check((share) => Math.round(share * TEN_THOUSAND) / TEN_THOUSAND === share, RULE),
);

/** In micro-dollars. A fraction of one is not taken off: what is left is rounded up. */
export function afterDiscount(micros: number, share: number): number {
  const parts = micros * Math.round(share * TEN_THOUSAND);
  return micros - (parts - (parts % TEN_THOUSAND)) / TEN_THOUSAND;
}

/** As a stage tells it to its functions. */
export const shareVariable = v.pipe(v.string(), v.transform(Number), shareSchema);
