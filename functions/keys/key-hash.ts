import type { Call } from '../http/call.ts';
import { NotFound } from '../http/errors.ts';

export const keyNotFound = () => new NotFound('No such key');

/** The hash that a path names; anything that is none is not found, without a look. */
export function keyHash({ path }: Call): string {
  const hash = path.hash ?? '';
  if (!/^[0-9a-f]{64}$/.test(hash)) throw keyNotFound();
  return hash;
}
