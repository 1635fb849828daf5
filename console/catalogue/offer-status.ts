import type { Offer } from '../api/types.ts';
import { endingOf } from '../videos/model-end.ts';

export const OFFER_STATUSES = [
  'available',
  'resting',
  'paused',
  'retiring',
  'retired',
  'not configured',
] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** What most keeps a row from being used. @param status of the endpoint, undefined where the deployment does not call it */
export function statusOf(
  offer: Pick<Offer, 'id' | 'paused' | 'eol_at' | 'successor'>,
  status: 'available' | 'resting' | undefined,
  now: Date,
): OfferStatus {
  if (offer.eol_at !== undefined && Date.parse(offer.eol_at) <= now.getTime()) return 'retired';
  if (offer.paused) return 'paused';
  if (status === undefined) return 'not configured';
  return status === 'available' && endingOf(offer, now) !== undefined ? 'retiring' : status;
}
