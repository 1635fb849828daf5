import * as v from 'valibot';
import { instant, uuid } from '../http/answer-schemas.ts';
import { type StoredProviderKey, storedProviderKeySchema } from './provider-key.ts';

const { ciphertext: _, ...entries } = storedProviderKeySchema.entries;

/** A provider key as answers show it: never the secret. */
export const shownProviderKeySchema = v.object({
  ...entries,
  id: uuid,
  workspace_id: uuid,
  declared_region: entries.declared_region.wrapped,
  label: v.pipe(v.string(), v.description('Enough of the secret to recognise it by')),
  created_at: instant,
  updated_at: v.nullable(instant),
});

export function describeProviderKey({
  ciphertext: _,
  ...shown
}: StoredProviderKey): v.InferOutput<typeof shownProviderKeySchema> {
  return shown;
}
