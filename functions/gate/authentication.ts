import type { Headers } from '../http/call.ts';
import { invalidKey, PermissionDenied } from '../http/errors.ts';
import type { Principal } from '../http/principal.ts';
import type { KeyedRouteId, routes } from '../http/routes.ts';
import { hashKey, isWellFormedKey } from '../keys/key-format.ts';
import type { KeyReader } from '../keys/key-store.ts';
import type { KeyUses } from '../keys/key-uses.ts';
import { readCredential } from './credential.ts';
import { isLive, RememberedKeys } from './remembered-keys.ts';

export interface Authenticator {
  /** @throws Unauthenticated, PermissionDenied */
  authenticate(headers: Headers, access: (typeof routes)[KeyedRouteId]['access']): Promise<Principal>;
}

export function createAuthenticator(
  keys: KeyReader,
  uses: Pick<KeyUses, 'record'>,
  now: () => Date,
): Authenticator {
  const remembered = new RememberedKeys(keys, now);
  return {
    async authenticate(headers, access) {
      const credential = readCredential(headers);
      if (!isWellFormedKey(credential)) throw invalidKey();
      const hash = hashKey(credential);
      // A revoked management key must not be able to make another, or to enable itself again.
      const key = access === 'management' ? await keys.find(hash) : await remembered.find(hash);
      if (key === undefined || !isLive(key, now())) throw invalidKey();
      uses.record(key);
      if (access === 'management' && key.kind !== 'management') {
        throw new PermissionDenied('Only management keys can perform this operation');
      }
      return {
        keyHash: key.hash,
        kind: key.kind,
        workspaceId: key.workspace_id,
        creator: key.creator_user_id ?? key.hash,
        rateLimits: key.rate_limits,
        guardrailId: key.guardrail_id,
      };
    },
  };
}
