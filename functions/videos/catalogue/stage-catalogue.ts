import * as v from 'valibot';
import { readCache } from '../read-cache.ts';
import { Catalogue } from './catalogue.ts';
import { type Offer, offerSchema } from './offer.ts';
import type { OfferStore } from './offer-store.ts';

/** How a running stage differs from the file that it was deployed with. */
export interface OfferChanges {
  readonly rows: readonly Offer[];
  readonly removed: readonly string[];
  readonly paused: readonly string[];
}

export const NO_CHANGES: OfferChanges = { rows: [], removed: [], paused: [] };

/** A row that this version cannot read is left out; the others count. */
export const changesSchema = v.object({
  rows: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) =>
      rows.flatMap((row) => {
        const read = v.safeParse(offerSchema, row);
        return read.success ? [read.output] : [];
      }),
    ),
  ),
  removed: v.array(v.string()),
  paused: v.array(v.string()),
});

/**
 * Applies the changes to a catalogue: a row with a known id replaces that offer, the others are added at the end.
 */
export function withChanges(base: Catalogue, { rows, removed, paused }: OfferChanges): Catalogue {
  const merged = new Map([...base.offers, ...rows].map((offer) => [offer.id, offer]));
  return new Catalogue(
    [...merged.values()].filter(({ id }) => !removed.includes(id)),
    paused,
  );
}

/** Adds or replaces an offer. */
export const put = (changes: OfferChanges, offer: Offer, isPaused: boolean): OfferChanges => ({
  rows: [...changes.rows.filter(({ id }) => id !== offer.id), offer],
  removed: without(changes.removed, offer.id),
  paused: [...without(changes.paused, offer.id), ...(isPaused ? [offer.id] : [])],
});

/** Removes an offer. Jobs that its provider has taken go on. */
export const remove = (changes: OfferChanges, id: string): OfferChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: [...without(changes.removed, id), id],
  paused: without(changes.paused, id),
});

export const pause = (changes: OfferChanges, id: string, isPaused: boolean): OfferChanges => ({
  ...changes,
  paused: [...without(changes.paused, id), ...(isPaused ? [id] : [])],
});

/** Restores an offer to what the file says. */
export const restore = (changes: OfferChanges, id: string): OfferChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: without(changes.removed, id),
  paused: without(changes.paused, id),
});

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id);

interface StageCatalogueOptions {
  readonly store: Pick<OfferStore, 'read'>;
  readonly cacheSeconds: number;
  readonly now: () => Date;
}

/** The catalogue of a running stage: its file's, with the changes made since. */
export function stageCatalogue(
  base: Catalogue,
  { store, cacheSeconds, now }: StageCatalogueOptions,
): () => Promise<Catalogue> {
  const look = readCache({
    read: async () => withChanges(base, await store.read()),
    milliseconds: cacheSeconds * 1000,
    now,
  });
  return () => look('stage');
}
