import { readCache } from '../../read-cache.ts';
import type { Catalogue } from './catalogue.ts';
import { withChanges } from './endpoint-changes.ts';
import type { EndpointStore } from './endpoint-store.ts';

export interface StageCatalogueOptions {
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
