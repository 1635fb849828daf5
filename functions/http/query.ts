import * as v from 'valibot';
import type { RequestHead } from './call.ts';
import { unknownNames } from './unknown-names.ts';
import { validate } from './validation.ts';

/** What has been asked of each query so far: an operation asks in parts, each of which knows its own parameters alone. */
const known = new WeakMap<RequestHead['query'], Set<string>>();

/** @throws InvalidRequest */
export function query<const Entries extends v.ObjectEntries>(
  { query: sent }: Pick<RequestHead, 'query'>,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  known.set(sent, new Set([...(known.get(sent) ?? []), ...Object.keys(entries)]));
  return validate(v.object(entries), sent);
}

/** Warns of the parameters that nobody has asked for, once all that matter have been. */
export function warnOfUnread({ query: sent, warnings }: Pick<RequestHead, 'query' | 'warnings'>): void {
  const read = [...(known.get(sent) ?? [])];
  const tell = unknownNames('query parameter', (warning) => warnings.push(warning));
  for (const name of Object.keys(sent)) if (!read.includes(name)) tell(name, read);
}
