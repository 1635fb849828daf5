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
  label: v.pipe(
    v.string(),
    v.description(
      'First three and last four characters of the key. For a key with fewer than 16 characters, only the last two',
    ),
  ),
  created_at: instant,
  updated_at: v.nullable(instant),
});

/** What of a provider key the audit trail keeps. */
export const AUDITED_OF_PROVIDER_KEYS = [
  'workspace_id',
  'provider',
  'disabled',
  'is_fallback',
  'is_required',
  'is_byok_only',
  'sort_order',
  'allowed_models',
  'allowed_api_key_hashes',
  'declared_zdr',
  'declared_region',
] as const;

export function describeProviderKey({
  ciphertext: _,
  ...shown
}: StoredProviderKey): v.InferOutput<typeof shownProviderKeySchema> {
  return shown;
}

/** What a test of a provider key found. */
export const keyTestSchema = v.object({
  outcome: v.pipe(
    v.picklist(['accepted', 'rejected', 'unknown']),
    v.description(
      'Whether the provider accepts the key. `rejected` can also mean that the account has no funds or that the key lacks a permission. `unknown`: the provider gave no clear answer, or the deployment does not call it with provider keys',
    ),
  ),
  message: v.pipe(v.nullable(v.string()), v.description('Why the outcome is not `accepted`. Null if it is')),
});
export type KeyTest = v.InferOutput<typeof keyTestSchema>;
