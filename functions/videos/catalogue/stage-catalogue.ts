import * as v from 'valibot';
import { readCache } from '../read-cache.ts';
import { Catalogue } from './catalogue.ts';
import { endpointSchema, type VideoEndpoint } from './offer.ts';
import type { EndpointStore } from './offer-store.ts';

/** For how many seconds a warm function may miss a change of the endpoints. */
export const endpointCacheSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300));

/** A function's environment variable. */
export const endpointCacheVariable = v.pipe(v.string(), v.transform(Number), endpointCacheSchema);

/** How a running stage differs from the file that it was deployed with. */
export interface EndpointChanges {
  readonly rows: readonly VideoEndpoint[];
  readonly removed: readonly string[];
  readonly paused: readonly string[];
}

export const NO_CHANGES: EndpointChanges = { rows: [], removed: [], paused: [] };

/** A row that this version cannot read is left out; the others count. */
export const changesSchema = v.object({
  rows: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) =>
      rows.flatMap((row) => {
        const read = v.safeParse(endpointSchema, row);
        return read.success ? [read.output] : [];
      }),
    ),
  ),
  removed: v.array(v.string()),
  paused: v.array(v.string()),
});

/**
 * Applies the changes to a catalogue: a row with a known id replaces that endpoint, the others are added at the end.
 */
export function withChanges(base: Catalogue, { rows, removed, paused }: EndpointChanges): Catalogue {
  const merged = new Map([...base.endpoints, ...rows].map((endpoint) => [endpoint.id, endpoint]));
  return new Catalogue(
    [...merged.values()].filter(({ id }) => !removed.includes(id)),
    paused,
  );
}

/** Adds or replaces an endpoint. */
export const put = (
  changes: EndpointChanges,
  endpoint: VideoEndpoint,
  isPaused: boolean,
): EndpointChanges => ({
  rows: [...changes.rows.filter(({ id }) => id !== endpoint.id), endpoint],
  removed: without(changes.removed, endpoint.id),
  paused: [...without(changes.paused, endpoint.id), ...(isPaused ? [endpoint.id] : [])],
});

/** Removes an endpoint. Jobs that its provider has taken go on. */
export const remove = (changes: EndpointChanges, id: string): EndpointChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: [...without(changes.removed, id), id],
  paused: without(changes.paused, id),
});

export const pause = (changes: EndpointChanges, id: string, isPaused: boolean): EndpointChanges => ({
  ...changes,
  paused: [...without(changes.paused, id), ...(isPaused ? [id] : [])],
});

/** Restores an endpoint to what the file says. */
export const restore = (changes: EndpointChanges, id: string): EndpointChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: without(changes.removed, id),
  paused: without(changes.paused, id),
});

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id);

interface StageCatalogueOptions {
  readonly store: Pick<EndpointStore, 'read'>;
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
