import { readCache } from '../../read-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { withChanges } from './endpoint-changes.ts';
import type { EndpointStore } from './endpoint-store.ts';

/** How long a warm function may miss a change of the endpoints. */
const CACHE_MILLISECONDS = 30_000;

/** The catalogue of a running stage: its file's, with the changes made since. */
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
