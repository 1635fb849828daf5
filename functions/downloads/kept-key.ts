import type { KeyObject } from 'node:crypto';

/**
 * Makes the key for the first link, and keeps it: a page of a list wants a hundred links at once. If it could not be made,
 * the next link tries again.
 */
export function keptKey(make: () => Promise<KeyObject>): () => Promise<KeyObject> {
  let kept: Promise<KeyObject> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}
