import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type NamedItems, refusedBy, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { invalidField } from '../http/errors.ts';
import type { AccountStore } from './account-store.ts';
import { withLimit } from './account-update.ts';
import type { WholeCredits } from './lease-store.ts';
import { formatUsd, type Micros, MOST_MICROS, micros, plus } from './micros.ts';

const ATTEMPTS = 10;

export interface Grant {
  readonly micros: Micros;
  readonly note: string | null;
  /** The hash of the key that granted, or another name for who did. */
  readonly grantedBy: string;
}

export interface GrantPorts {
  readonly client: DynamoDBDocumentClient;
  readonly accounts: Pick<AccountStore, 'leases' | 'changeLimits' | 'grantInsertion'>;
  readonly now: () => Date;
  readonly newId: () => string;
}

/**
 * Adds to the deployment's credits, and keeps a row that says who did, and why. From the first grant on, credits limit
 * what all jobs may cost together.
 * @param alsoWrite further items of the same transaction, given the credits as they will be
 * @throws InvalidRequest for more credits than any amount may be
 */
export function grantCredits(
  grant: Grant,
  alsoWrite: (credits: WholeCredits) => NamedItems,
  { client, accounts, now, newId }: GrantPorts,
): Promise<WholeCredits> {
  const record = accounts.grantInsertion({ ...grant, id: newId(), grantedAt: now() });
  const attempt = async () => {
    const before = await accounts.leases.whole(now());
    const total = plus(before.limits.lifetime?.micros ?? micros(0), grant.micros);
    if (total > MOST_MICROS) {
      throw invalidField(
        'amount_usd',
        `must not raise the total of all grants above ${formatUsd(MOST_MICROS)}`,
      );
    }
    const change = { limits: withLimit(before, 'lifetime', total, now()), countsByok: before.counts_byok };
    const credits = { ...before, limits: change.limits };
    try {
      await transact(client, {
        ...alsoWrite(credits),
        credits: accounts.changeLimits(before, change),
        record,
      });
      return credits;
    } catch (error) {
      if (refusedBy(error, 'credits')) return undefined;
      throw error;
    }
  };
  const exhausted = () => new Error(`the credits changed ${ATTEMPTS} times during a grant`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}
