import { readCache } from '../../read-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { withChanges } from './endpoint-changes.ts';
import type { EndpointStore } from './endpoint-store.ts';

/** How long a change of the endpoints may go unnoticed by a warm function. */
const CACHE_MILLISECONDS = 30_000;

/** The catalogue of a running stage: that of its file, with what has been changed since. */
export function stageCatalogue(
  base: Catalogue,
  { store, now }: { readonly store: Pick<EndpointStore, 'read'>; readonly now: () => Date },
): () => Promise<Catalogue> {
  const look = readCache({
    read: async () => withChanges(base, await store.read()),
    milliseconds: CACHE_MILLISECONDS,
    now,
  });
  return () => look('stage');
}
