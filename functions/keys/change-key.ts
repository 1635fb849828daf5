import { InvalidRequest } from '../http/errors.ts';
import type { Account } from '../money/account.ts';
import { assertInFuture } from './create-key.ts';
import type { RequestedKeyChange } from './key.ts';
import { changeKeyLimit, isAboutLimit } from './key-limit.ts';
import { type KeyLives, KeyMissing, WorkspaceMissing } from './key-lives.ts';
import { keyNotFound } from './key-report.ts';
import { GuardrailMissing, noSuchGuardrail } from './named-guardrail.ts';

/**
 * Changes a key and its limit, both or neither.
 * @throws NotFound when there is no such key
 */
export async function changeKey(
  hash: string,
  requested: RequestedKeyChange,
  lives: Pick<KeyLives, 'change'>,
  now: Date,
): Promise<void> {
  assertInFuture(requested.expires_at, now);
  const { limit: _, limit_reset: _reset, include_byok_in_limit: _byok, ...change } = requested;
  const limitsOf = (account: Account) => changeKeyLimit(account, requested, now);
  try {
    await lives.change(hash, change, now, isAboutLimit(requested) ? limitsOf : undefined);
  } catch (cause) {
    if (cause instanceof KeyMissing) throw keyNotFound();
    if (cause instanceof GuardrailMissing) throw noSuchGuardrail(cause);
    if (!(cause instanceof WorkspaceMissing)) throw cause;
    throw new InvalidRequest('The workspace of the key has been deleted', { cause });
  }
}
