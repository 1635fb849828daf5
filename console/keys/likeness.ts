import type { Key } from '../api/types.ts';

/** Asks for a key with everything of this one but its secret and its usage. Without its guardrail or its scope it could do more. */
export function likeness(key: Key) {
  const { name, workspace_id, creator_user_id, external_user, external, expires_at } = key;
  const { limit, limit_reset, include_byok_in_limit, rate_limits, guardrail_id, scope } = key;
  return {
    name,
    workspace_id,
    creator_user_id,
    external_user,
    external,
    expires_at,
    limit,
    limit_reset,
    include_byok_in_limit,
    rate_limits,
    guardrail_id,
    scope,
    management: key.is_management_key,
  };
}
