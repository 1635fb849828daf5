import type { StoredProviderKey } from '../../functions/provider-keys/provider-key.ts';

/** A key for `fal`. @param fields the fields that a test sets */
export const aProviderKey = (id: string, fields: Partial<StoredProviderKey> = {}): StoredProviderKey => ({
  id,
  workspace_id: 'ws-1',
  provider: 'fal',
  label: 'fal…1234',
  ciphertext: '',
  name: null,
  disabled: false,
  is_fallback: false,
  is_required: false,
  is_byok_only: false,
  sort_order: 0,
  allowed_models: null,
  allowed_api_key_hashes: null,
  allowed_user_ids: null,
  declared_zdr: null,
  declared_region: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: null,
  ...fields,
});
