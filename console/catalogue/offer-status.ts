import type { Offer } from '../api/types.ts';
import { endingOf } from '../videos/model-end.ts';

export const OFFER_STATUSES = [
  'available',
  'resting',
  'paused',
  'ending',
  'retired',
  'not configured',
] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

/** What most keeps a row from being used. @param serving the endpoints that the deployment calls */
export function statusOf(
  offer: Pick<Offer, 'id' | 'paused' | 'eol_at' | 'successor'>,
  serving: ReadonlyMap<string, 'available' | 'resting'>,
  now: Date,
): OfferStatus {
  if (offer.eol_at !== undefined && Date.parse(offer.eol_at) <= now.getTime()) return 'retired';
  if (offer.paused) return 'paused';
  const status = serving.get(offer.id);
  if (status === undefined) return 'not configured';
  return status === 'available' && endingOf(offer, now) !== undefined ? 'ending' : status;
}
