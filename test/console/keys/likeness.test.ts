import { expect, test } from '@jest/globals';
import type { Key } from '../../../console/api/types.ts';
import { likeness } from '../../../console/keys/likeness.ts';

/** The key's settings and its workspace. */
const SETTINGS = {
  name: 'Editing room',
  workspace_id: 'f6ab2f0c-6c5e-4d5e-9d0c-0d6f2f0b7a11',
  creator_user_id: 'ada',
  external_user: 'studio-7',
  external: { user: 'studio-7', api_key: null },
  limit: 20,
  limit_reset: 'monthly',
  include_byok_in_limit: true,
  rate_limits: { upload: null, submit: 10, read: null, admin: null },
  guardrail_id: '0b5f4f3e-2f5c-4b57-8a3c-6a1f1f2e9d10',
  expires_at: '2031-01-01T00:00:00.000Z',
} as const;
const scope: Key['scope'] = { workspaces: null, operations: ['read'], networks: ['203.0.113.0/24'] };

/** Fields that every key has for itself. */
const OWN = {
  hash: 'a'.repeat(64),
  label: 'sk-gw-v1-EAD...VtQ',
  disabled: true,
  limit_remaining: 3,
  usage: 17,
  usage_daily: 1,
  usage_weekly: 2,
  usage_monthly: 17,
  byok_usage: 0,
  byok_usage_daily: 0,
  byok_usage_weekly: 0,
  byok_usage_monthly: 0,
  last_used_at: '2030-06-01T00:00:00.000Z',
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: null,
} as const;

test.each([true, false])('has every setting and nothing of its life (management: %s)', (management) => {
  const key: Key = { ...SETTINGS, ...OWN, scope, is_management_key: management };
  expect(likeness(key)).toEqual({ ...SETTINGS, scope, management });
});
