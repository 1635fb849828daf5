import * as v from 'valibot';
import { timestamp } from '../http/timestamp.ts';
import { characters } from '../http/validation.ts';
import { createKey, hashKey, type KeyKind, labelKey } from './key-format.ts';
import type { StoredKey } from './key-store.ts';

export const newKeySchema = v.object({
  name: characters(1, 100),
  management: v.optional(v.boolean('must be true or false'), false),
  workspace_id: v.optional(v.pipe(v.string(), v.uuid('must be the id (a UUID) of a workspace'))),
  creator_user_id: v.nullish(characters(1, 100), null),
  expires_at: v.nullish(timestamp, null),
});

export const keyChangeSchema = v.object({
  name: v.exactOptional(characters(1, 100)),
  disabled: v.exactOptional(v.boolean('must be true or false')),
  expires_at: v.exactOptional(v.nullable(timestamp)),
});

export interface KeyRequest {
  readonly kind: KeyKind;
  readonly name: string;
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
  readonly expiresAt: string | null;
}

/** A new key, once in clear for its owner and once as it is kept. */
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
    disabled: false,
    expires_at: request.expiresAt,
    created_at: now.toISOString(),
    updated_at: null,
    last_used_at: null,
  };
  return { key, stored };
}

/** A key as the API shows it. */
export function describeKey({ kind, ...key }: StoredKey) {
  return { ...key, is_management_key: kind === 'management' };
}
