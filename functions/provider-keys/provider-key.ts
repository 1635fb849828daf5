import * as v from 'valibot';
import { characters, offsetPage, workspaceId } from '../http/validation.ts';

const flag = () => v.boolean('must be true or false');

const LIST_RULE = 'must be a list of up to 100 strings, or null for all';
const allowList = v.nullable(v.pipe(v.array(characters(1, 200), LIST_RULE), v.maxLength(100, LIST_RULE)));

const SECRET_RULE = 'must be 8 to 2048 visible ASCII characters';
/** KMS encrypts up to 4 KiB in one call; every vendor's key is far shorter. */
const secret = v.pipe(
  v.string('must be a string'),
  v.regex(/^[!-~]{8,2048}$/, SECRET_RULE),
  v.description(
    'The key that the provider issued. Genway stores it encrypted and shows only a few of its characters',
  ),
);

const PROVIDER_RULE = 'must be the name of a provider, such as openai';
/** The names in the API's own parameters stand for these vendors. */
const MEANT: Readonly<Record<string, string>> = { provider_a: 'openai', provider_b: 'anthropic' };
const providerName = (says: string) =>
  v.pipe(
    v.string(PROVIDER_RULE),
    v.regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, PROVIDER_RULE),
    v.description(says),
    v.transform((name) => MEANT[name] ?? name),
  );

const REGION_RULE = 'must be one of global, europe, us, or null';
const settings = {
  name: v.pipe(v.nullable(characters(1, 100)), v.description('Display name. Null: none')),
  disabled: v.pipe(
    flag(),
    v.description(
      'Whether the key is disabled. Jobs and file requests stop using a disabled key within 30 seconds',
    ),
  ),
  is_fallback: v.pipe(
    flag(),
    v.description(
      'Whether the key is a fallback. A job uses a fallback key only if no regular key of the workspace for the provider may serve it. Such a job tries shared accounts before the fallback key. Accounts at resting providers come last',
    ),
  ),
  is_required: v.pipe(
    flag(),
    v.description(
      'If `true`, jobs for which Genway selects the key never use the deployment’s shared account at the provider. No effect in the default workspace',
    ),
  ),
  is_byok_only: v.pipe(
    flag(),
    v.description(
      'If `true`, jobs of the workspace never use the deployment’s shared account at the provider while the key is enabled. No effect in the default workspace',
    ),
  ),
  sort_order: v.pipe(
    v.number('must be a whole number'),
    v.safeInteger('must be a whole number below 2^53'),
    v.description(
      'Position among the keys of the workspace for the provider. Each job or file request uses only the first key that it may use: the one with the lowest number or, in a tie, the oldest. Keys with `is_fallback` come last',
    ),
  ),
  allowed_models: v.pipe(
    allowList,
    v.description(
      'IDs of the models and endpoints that may use the provider key. Null: all. Empty: none. With a list, file requests do not use the key',
    ),
  ),
  allowed_api_key_hashes: v.pipe(
    allowList,
    v.description('Hashes of the keys that may use the provider key. Null: all. Empty: none'),
  ),
  allowed_user_ids: v.pipe(
    allowList,
    v.description(
      'Users whose keys may use the provider key: the `creator_user_id` of a key or, if that is null, the hash of the key. Null: all. Empty: none',
    ),
  ),
  declared_zdr: v.pipe(
    v.nullable(flag()),
    v.description(
      'Whether you declare that the provider retains no data. `GET /endpoints/zdr` lists the endpoints where jobs use only provider keys with this declaration. Null: not declared',
    ),
  ),
  declared_region: v.pipe(
    v.nullable(v.picklist(['global', 'europe', 'us'], REGION_RULE)),
    v.description(
      'Region of the account at the provider, as you declare it. Stored and returned, but has no effect',
    ),
  ),
};

export const newProviderKeySchema = v.object({
  provider: providerName('Provider that issued the key, such as `openai`'),
  key: secret,
  workspace_id: v.optional(workspaceId),
  name: v.optional(settings.name, null),
  disabled: v.optional(settings.disabled, false),
  is_fallback: v.optional(settings.is_fallback, false),
  is_required: v.optional(settings.is_required, false),
  is_byok_only: v.optional(settings.is_byok_only, false),
  sort_order: v.optional(settings.sort_order, 0),
  allowed_models: v.optional(settings.allowed_models, null),
  allowed_api_key_hashes: v.optional(settings.allowed_api_key_hashes, null),
  allowed_user_ids: v.optional(settings.allowed_user_ids, null),
  declared_zdr: v.optional(settings.declared_zdr, null),
  declared_region: v.optional(settings.declared_region, null),
});

export type NewProviderKey = v.InferOutput<typeof newProviderKeySchema>;

/** The query of `GET /byok`. */
export const providerKeyListQuery = {
  ...offsetPage,
  provider: v.optional(providerName('Only keys of this provider, such as `openai`')),
  workspace_id: v.optional(workspaceId),
};

/** In a change `key` replaces the secret. */
export const providerKeyChangeSchema = v.partial(v.object({ ...settings, key: secret }));

/** The attributes of a stored key that may change. */
export type ProviderKeyChange = Omit<v.InferOutput<typeof providerKeyChangeSchema>, 'key'> &
  Partial<Pick<StoredProviderKey, 'label' | 'ciphertext'>>;

export const storedProviderKeySchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  provider: v.string(),
  /** The visible part of the secret. */
  label: v.string(),
  /** In Base64, encrypted by KMS for this workspace, provider and key id alone. */
  ciphertext: v.string(),
  ...settings,
  /** Rows of earlier versions do not have it. */
  declared_region: v.optional(settings.declared_region, null),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
});
export type StoredProviderKey = Readonly<v.InferOutput<typeof storedProviderKeySchema>>;

/** `sk-…AbCd`: enough to recognise a key, too little to guess one. */
export function labelSecret(text: string): string {
  return text.length < 16 ? `…${text.slice(-2)}` : `${text.slice(0, 3)}…${text.slice(-4)}`;
}
