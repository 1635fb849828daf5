import { invalidField } from '../http/invalid-field.ts';
import type { Principal } from '../http/principal.ts';
import type { KeyChange } from './key-store.ts';

const RULE = 'a key cannot disable or delete itself; use another management key';

/**
 * A management key cannot delete or disable itself. Only a live management key can end a key, so one always remains,
 * unless two end each other at the same moment.
 * @throws InvalidRequest
 */
export function refuseOwnDeletion(principal: Principal, hash: string): void {
  if (principal.keyHash === hash) throw invalidField('hash', RULE);
}

/** Refuses a change that disables the key that asks for it, or ends it now. */
export function refuseOwnEnd(
  principal: Principal,
  hash: string,
  { disabled, expires_at: expiry }: KeyChange,
  now: Date,
): void {
  if (principal.keyHash !== hash) return;
  const hasExpired = typeof expiry === 'string' && new Date(expiry) <= now;
  const path = disabled ? 'disabled' : hasExpired ? 'expires_at' : undefined;
  if (path !== undefined) throw invalidField(path, RULE);
}
