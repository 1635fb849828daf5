/** The keys table's index that lists every key, oldest first. */
export const KEYS_BY_CREATION = 'by-creation';
/** The one that lists those of a workspace in the same order. */
export const KEYS_BY_WORKSPACE = 'by-workspace';

/** What may change of a key: never what it is, only what it is called and for whom, how long it lives and what it may do. */
export const CHANGEABLE = [
  'name',
  'disabled',
  'external_user',
  'expires_at',
  'rate_limits',
  'guardrail_id',
] as const;
