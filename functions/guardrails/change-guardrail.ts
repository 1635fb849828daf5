import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { defined } from '../defined.ts';
import { Conflict, invalidField, NotFound } from '../http/errors.ts';
import type { Caller } from '../http/scope.ts';
import { type Account, emptyAccount, guardrailAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import { type LimitsChange, withLimit } from '../money/account-update.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type FindGuardrailPorts, findGuardrail } from './find-guardrail.ts';
import { type Guardrail, type GuardrailChange, isOwn } from './guardrail.ts';
import type { GuardrailStore } from './guardrail-store.ts';

export interface CreateGuardrailPorts {
  readonly client: DynamoDBDocumentClient;
  readonly guardrails: Pick<GuardrailStore, 'find' | 'replacement'>;
  readonly workspaces: Pick<WorkspaceStore, 'list' | 'read' | 'keepAlive'>;
  readonly accounts: Pick<AccountStore, 'readOne' | 'changeLimits'>;
  readonly now: () => Date;
}

export type ChangeGuardrailPorts = CreateGuardrailPorts & FindGuardrailPorts;

const ATTEMPTS = 10;

/** @throws InvalidRequest where its workspace is gone */
export async function createGuardrail(
  guardrail: Guardrail,
  { client, guardrails, workspaces, accounts, now }: CreateGuardrailPorts,
): Promise<void> {
  const account = emptyAccount(guardrailAccount(guardrail.id));
  try {
    await transact(client, {
      guardrail: guardrails.replacement(guardrail, guardrail),
      workspace: workspaces.keepAlive(guardrail.workspace_id),
      account:
        guardrail.limit_micros === null
          ? undefined
          : accounts.changeLimits(account, limitsOf(guardrail, account, now())),
    });
  } catch (cause) {
    if (!refusedBy(cause, 'workspace')) throw cause;
    throw invalidField('workspace_id', 'no such workspace', { cause });
  }
}

/**
 * Applies a change to the guardrail as it is now. Its account gets the new limit in the same transaction, so that a
 * hold by the old limit is refused, and reads the new one.
 * @throws NotFound
 */
export function changeGuardrail(
  caller: Caller,
  id: string,
  { limit_usd: micros, ...change }: GuardrailChange,
  ports: ChangeGuardrailPorts,
): Promise<Guardrail> {
  const { client, guardrails, workspaces, accounts, now } = ports;
  const attempt = async () => {
    const before = await findGuardrail(caller, id, ports);
    const limit = defined({ limit_micros: micros });
    const after = { ...before, ...change, ...limit, updated_at: now().toISOString() };
    const account = hasOtherLimit(before, after)
      ? await accounts.readOne(guardrailAccount(before.id))
      : undefined;
    try {
      await transact(client, {
        guardrail: guardrails.replacement(before, after),
        workspace: workspaces.keepAlive(before.workspace_id),
        account: account && accounts.changeLimits(account, limitsOf(after, account, now())),
      });
      return after;
    } catch (error) {
      if (refusedBy(error, 'workspace')) throw new NotFound('No such guardrail', { cause: error });
      if (refusedBy(error, 'guardrail', 'account')) return undefined;
      throw error;
    }
  };
  const exhausted = () => new Error(`guardrail ${id} changed ${ATTEMPTS} times during one update`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}

const hasOtherLimit = (before: Guardrail, after: Guardrail): boolean =>
  before.limit_micros !== after.limit_micros ||
  before.reset_interval !== after.reset_interval ||
  before.include_byok_in_budgets !== after.include_byok_in_budgets;

/** A guardrail has at most one limit, counted over the interval after which it resets. */
function limitsOf(
  { limit_micros, reset_interval, include_byok_in_budgets }: Guardrail,
  account: Account,
  now: Date,
): LimitsChange {
  const bare = { ...account, limits: {} };
  const limits = withLimit(bare, reset_interval ?? 'lifetime', limit_micros ?? undefined, now);
  return { limits, countsByok: include_byok_in_budgets };
}

export interface RemoveGuardrailPorts extends FindGuardrailPorts {
  readonly client: DynamoDBDocumentClient;
  readonly guardrails: Pick<GuardrailStore, 'find' | 'deletion'>;
  readonly workspaces: Pick<WorkspaceStore, 'list' | 'read' | 'naming'>;
  /** A key of the workspace that names the guardrail. A key that begins to name it later changes its version. */
  readonly namingKey: (id: string, workspaceId: string) => Promise<NamingKey | undefined>;
}

interface NamingKey {
  readonly hash: string;
  readonly name: string;
}

/**
 * Deletes a guardrail that no workspace and no key uses.
 * @throws NotFound, Conflict
 */
export async function removeGuardrail(
  caller: Caller,
  id: string,
  ports: RemoveGuardrailPorts,
): Promise<void> {
  const { client, guardrails, workspaces, namingKey } = ports;
  const attempt = async () => {
    const guardrail = await findGuardrail(caller, id, ports);
    if (isOwn(guardrail)) {
      throw new Conflict(
        'The guardrail that a workspace started with cannot be deleted; set its rules and limit_usd to null to allow everything',
      );
    }
    const key = await namingKey(guardrail.id, guardrail.workspace_id);
    if (key !== undefined) {
      throw new Conflict(
        `Key "${key.name}" (${key.hash}) uses this guardrail; first set the key’s guardrail_id to another guardrail or to null`,
      );
    }
    try {
      await transact(client, {
        guardrail: guardrails.deletion(guardrail),
        workspace: workspaces.naming(guardrail.workspace_id, { not: guardrail.id }),
      });
      return true;
    } catch (error) {
      if (refusedBy(error, 'workspace')) {
        const rule = `Workspace ${guardrail.workspace_id} uses this guardrail; first set the workspace’s default_guardrail_id to another guardrail or to null`;
        throw new Conflict(rule, { cause: error });
      }
      if (refusedBy(error, 'guardrail')) return undefined;
      throw error;
    }
  };
  const exhausted = () => new Error(`guardrail ${id} changed ${ATTEMPTS} times while it was being deleted`);
  await retryOnConflict(ATTEMPTS, attempt, exhausted);
}
