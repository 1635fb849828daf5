import type { VideoModel } from './catalogue.ts';
import type { Offer } from './offer.ts';

const DAY_MILLISECONDS = 86_400_000;

/** How long before the end of a model its deployers and users are warned. */
const WARNING_DAYS = 30;
/** Vendors change prices and limits every few months. */
const FRESH_DAYS = 90;

/** Whether a vendor no longer runs it. */
export const hasEnded = ({ eol_at }: Pick<Offer, 'eol_at'>, now: Date): boolean =>
  eol_at !== undefined && now.getTime() >= Date.parse(eol_at);

/** Whether a vendor has ended it, or will within 30 days. */
export const endsSoon = ({ eol_at }: Pick<Offer, 'eol_at'>, now: Date): boolean =>
  eol_at !== undefined && Date.parse(eol_at) - now.getTime() <= WARNING_DAYS * DAY_MILLISECONDS;

/** Whether what a row says was looked up more than 90 days ago. A row without a date is its deployer's own business. */
export const isStale = ({ checked_at }: Pick<Offer, 'checked_at'>, now: Date): boolean =>
  checked_at !== undefined && now.getTime() - Date.parse(checked_at) > FRESH_DAYS * DAY_MILLISECONDS;

export interface Retirement {
  readonly eol_at: string;
  /** The model to use instead. */
  readonly successor?: string | undefined;
}

/** What the catalogue listed until its vendor ended it, by the names that callers may still use. */
export const RETIRED: ReadonlyMap<string, Retirement> = new Map([
  ['gemini-veo/veo-3.1', { eol_at: '2026-10-22', successor: 'google/veo-3.1' }],
  ['gemini-veo/veo-3.1-fast', { eol_at: '2026-10-22', successor: 'google/veo-3.1-fast' }],
  ['gemini-veo/veo-3.1-lite', { eol_at: '2026-10-22', successor: 'google/veo-3.1-lite' }],
]);

/** The end of a model whose every offer has ended; undefined for one that its vendors still run, or never did. */
export function retirementOf(id: string, model: VideoModel | undefined, now: Date): Retirement | undefined {
  if (model === undefined) return RETIRED.get(id);
  if (!model.offers.every((offer) => hasEnded(offer, now))) return undefined;
  return lastEndOf(model.offers);
}

/** A model ends with the last of its offers; undefined while one has no end. */
export function lastEndOf(offers: VideoModel['offers']): Retirement | undefined {
  const ends = offers.flatMap(({ eol_at, successor }) =>
    eol_at === undefined ? [] : [{ eol_at, successor }],
  );
  if (ends.length < offers.length) return undefined;
  return ends.toSorted((a, b) => Date.parse(a.eol_at) - Date.parse(b.eol_at)).at(-1);
}
