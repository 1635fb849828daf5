import * as v from 'valibot';
import type { Catalogue } from './catalogue.ts';
import { type Offer, rowSchema } from './offer.ts';
import { pricesSchema } from './price.ts';
import type { OfferChanges } from './stage-catalogue.ts';

const paused = v.pipe(
  v.boolean('must be true or false'),
  v.description(
    'Whether the endpoint is paused. A paused endpoint accepts no new jobs. Jobs submitted before the pause can still run on it',
  ),
);

/** A row as in the file; its id is in the path. A field that rows do not have is refused as a mistake. */
export const newOfferSchema = v.strictObject({
  ...v.omit(rowSchema, ['id']).entries,
  paused: v.optional(paused, false),
});

export const offerChangeSchema = v.object({
  paused: v.exactOptional(paused),
  price_per_second: v.exactOptional(
    v.pipe(
      pricesSchema,
      v.description('The provider’s prices, in micro-dollars. They replace all prices of the endpoint'),
    ),
  ),
});

/** An offer as operators see it. */
export const shownOfferSchema = v.object({
  ...rowSchema.entries,
  paused,
  changed: v.pipe(
    v.boolean(),
    v.description(
      'Whether the endpoint was created or changed with the API or the command line. Pausing does not count',
    ),
  ),
});

/** An offer as operators see it: its row, and how this stage has changed it. */
export const describeOffer = (
  offer: Offer,
  catalogue: Catalogue,
  changes: OfferChanges,
): v.InferOutput<typeof shownOfferSchema> => ({
  ...offer,
  paused: catalogue.isPaused(offer.id),
  changed: changes.rows.some(({ id }) => id === offer.id),
});
