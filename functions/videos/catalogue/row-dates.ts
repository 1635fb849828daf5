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
