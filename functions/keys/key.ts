import * as v from 'valibot';
import type { KeyKind, RateLimits } from '../http/principal.ts';
import { LIMITED_CLASSES } from '../http/routes.ts';
import { timestamp } from '../http/timestamp.ts';
import {
  characters,
  guardrailId,
  jsonObject,
  trueOrFalse,
  wholeNumber,
  workspaceId,
} from '../http/validation.ts';
import { usdAmount } from '../money/micros.ts';
import { createKey, hashKey, labelKey } from './key-format.ts';
import type { StoredKey } from './key-store.ts';

const flag = () => v.boolean('must be true or false');
const limit = v.nullable(usdAmount('zero'));
const limitReset = v.nullable(
  v.picklist(['daily', 'weekly', 'monthly'], 'must be one of daily, weekly, monthly, or null for never'),
);

const guardrail = guardrailId('must be the id (a UUID) of a guardrail, or null for that of the workspace');

const RATE_RULE = 'must be a whole number of requests a minute, 1 to 60000, or null for the default';
const rate = v.pipe(
  v.number(RATE_RULE),
  v.integer(RATE_RULE),
  v.minValue(1, RATE_RULE),
  v.maxValue(60_000, RATE_RULE),
);
const rateLimits = v.pipe(
  jsonObject(
    v.strictObject(
      {
        upload: v.nullish(rate),
        submit: v.nullish(rate),
        read: v.nullish(rate),
        admin: v.nullish(rate),
      },
      `must be one of ${LIMITED_CLASSES.join(', ')}`,
    ),
  ),
  v.transform((given): RateLimits => {
    const own = LIMITED_CLASSES.flatMap((each) => {
      const perMinute = given[each];
      return perMinute === null || perMinute === undefined ? [] : [[each, perMinute]];
    });
    return Object.fromEntries(own);
  }),
);

export const newKeySchema = v.object({
  name: characters(1, 100),
  management: v.optional(flag(), false),
  workspace_id: v.optional(workspaceId),
  creator_user_id: v.nullish(characters(1, 100), null),
  external_user: v.nullish(characters(1, 256), null),
  /** The same field as public clients send it, with their own name for that user. */
  external: v.nullish(
    jsonObject(v.object({ user: characters(1, 256), api_key: v.nullish(characters(1, 256), null) })),
    null,
  ),
  expires_at: v.nullish(timestamp, null),
  limit: v.optional(limit, null),
  limit_reset: v.optional(limitReset, null),
  include_byok_in_limit: v.optional(flag(), false),
  rate_limits: v.optional(rateLimits, {}),
  guardrail_id: v.optional(guardrail, null),
});

export type RequestedKey = v.InferOutput<typeof newKeySchema>;

export const keyChangeSchema = v.object({
  name: v.exactOptional(characters(1, 100)),
  disabled: v.exactOptional(flag()),
  external_user: v.exactOptional(v.nullable(characters(1, 256))),
  expires_at: v.exactOptional(v.nullable(timestamp)),
  limit: v.exactOptional(limit),
  limit_reset: v.exactOptional(limitReset),
  include_byok_in_limit: v.exactOptional(flag()),
  rate_limits: v.exactOptional(rateLimits),
  guardrail_id: v.exactOptional(guardrail),
});
export type RequestedKeyChange = v.InferOutput<typeof keyChangeSchema>;

/** The query of `GET /keys`. */
export const keyListQuery = {
  offset: v.optional(wholeNumber(0, 1_000_000), '0'),
  include_disabled: v.optional(trueOrFalse, 'false'),
  workspace_id: v.optional(workspaceId),
};

export interface KeyRequest {
  readonly kind: KeyKind;
  readonly name: string;
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
  /** Whom the caller gave the key to, in the caller's words. */
  readonly externalUser: string | null;
  readonly external?: StoredKey['external'] | null;
  readonly expiresAt: string | null;
  readonly rateLimits: RateLimits;
  /** Null: the one that its workspace names. @default null */
  readonly guardrailId?: string | null;
}

/** A new key: in clear for its owner, this once, and as it is stored. */
export function issueKey(
  request: KeyRequest,
  now: Date,
  random: (size: number) => Uint8Array,
): { key: string; stored: StoredKey } {
  const key = createKey(request.kind, random);
  const stored: StoredKey = {
    hash: hashKey(key),
    kind: request.kind,
    name: request.name,
    label: labelKey(key),
    workspace_id: request.workspaceId,
    creator_user_id: request.creatorUserId,
    external_user: request.externalUser,
    ...(request.external ? { external: request.external } : {}),
    rate_limits: request.rateLimits,
    guardrail_id: request.guardrailId ?? null,
    disabled: false,
    expires_at: request.expiresAt,
    created_at: now.toISOString(),
    updated_at: null,
    last_used_at: null,
  };
  return { key, stored };
}
