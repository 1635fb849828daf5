import { randomBytes } from 'node:crypto';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';

/** A new key's row. @param fields the fields that a test sets */
export function storedKey(fields: Partial<StoredKey> = {}): StoredKey {
  const request = {
    kind: 'normal' as const,
    name: 'Test',
    workspaceId: 'ws-1',
    creatorUserId: null,
    externalUser: null,
    expiresAt: null,
    rateLimits: {},
    scope: UNLIMITED,
  };
  return { ...issueKey(request, new Date('2026-01-01T00:00:00Z'), randomBytes).stored, ...fields };
}
