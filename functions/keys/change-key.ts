import type { Principal } from '../http/call.ts';
import { InvalidRequest, invalidField } from '../http/errors.ts';
import type { Account } from '../money/account.ts';
import { assertInFuture } from './create-key.ts';
import { keyNotFound } from './find-key.ts';
import { changeKeyLimit, isAboutLimit } from './key-limit.ts';
import {
  GuardrailMissing,
  type KeyLives,
  KeyMissing,
  noSuchGuardrail,
  TargetMissing,
  WorkspaceMissing,
} from './key-lives.ts';
import type { RequestedKeyChange } from './key-requests.ts';
import type { KeyChange } from './key-store.ts';

/**
 * Changes a key and its limit, both or neither.
 * @param foundIn the workspace in which the caller may change it @default any
 * @throws NotFound when there is no such key
 */
export async function changeKey(
  hash: string,
  requested: RequestedKeyChange,
  lives: Pick<KeyLives, 'change'>,
  now: Date,
  foundIn?: string,
): Promise<void> {
  assertInFuture(requested.expires_at, now);
  const { limit: _, limit_reset: _reset, include_byok_in_limit: _byok, ...change } = requested;
  const limitsOf = (account: Account) => changeKeyLimit(account, requested, now);
  try {
    await lives.change(hash, change, now, isAboutLimit(requested) ? limitsOf : undefined, foundIn);
  } catch (cause) {
    if (cause instanceof KeyMissing) throw keyNotFound();
    if (cause instanceof GuardrailMissing) throw noSuchGuardrail(cause);
    if (cause instanceof TargetMissing) throw invalidField('workspace_id', 'no such workspace', { cause });
    if (!(cause instanceof WorkspaceMissing)) throw cause;
    throw new InvalidRequest('The workspace of the key has been deleted', { cause });
  }
}

const RULE = 'a key cannot disable or delete itself; use another management key';

/**
 * A management key cannot delete or disable itself. Only a live management key can end a key, so one always remains,
 * unless two end each other at the same moment.
 * @throws InvalidRequest
 */
export function refuseOwnDeletion(principal: Principal, hash: string): void {
  if (principal.keyHash === hash) throw invalidField('hash', RULE);
}

/** Refuses a change that disables the key that asks for it. A past expiry is refused for every key. */
export function refuseOwnEnd(principal: Principal, hash: string, { disabled }: KeyChange): void {
  if (disabled && principal.keyHash === hash) throw invalidField('disabled', RULE);
}

/**
 * Where a management key needs the approval of a second key, none comes back or gets another end without one.
 * @throws InvalidRequest
 */
export function refuseRevival({ disabled, expires_at: expiry }: KeyChange): void {
  const path = disabled === false ? 'disabled' : expiry === undefined ? undefined : 'expires_at';
  if (path === undefined) return;
  const rule = path === 'disabled' ? 'cannot be set to false' : 'cannot be changed';
  throw invalidField(
    path,
    `${rule} for a management key, because this deployment requires approvals; create another management key`,
  );
}
