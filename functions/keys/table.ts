/** The keys table's index that lists every key, oldest first. */
export const KEYS_BY_CREATION = 'by-creation';
/** The index that lists the keys of a workspace in the same order. */
export const KEYS_BY_WORKSPACE = 'by-workspace';

/** The attributes of a key that may change. Its kind and its workspace may not. */
export const CHANGEABLE = [
  'name',
  'disabled',
  'external_user',
  'expires_at',
  'rate_limits',
  'guardrail_id',
] as const;
