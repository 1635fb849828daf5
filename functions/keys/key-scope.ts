import type { KeyKind, Principal } from '../http/call.ts';
import { invalidField, PermissionDenied } from '../http/errors.ts';
import { mayActIn, OPERATION_GROUPS, type OperationGroup, reaches, type Scope } from '../http/scope.ts';
import { keyNotFound } from './find-key.ts';
import type { StoredKey } from './key-store.ts';
import { contains } from './networks.ts';

/** Those of the operations that API keys may call. */
export const OPERATIONS_OF_API_KEYS = ['read', 'content', 'generate', 'webhooks'] as const;

const operationsOf = (kind: KeyKind): readonly OperationGroup[] =>
  kind === 'management' ? OPERATION_GROUPS : OPERATIONS_OF_API_KEYS;

export type Maker = Pick<Principal, 'kind' | 'workspaceId' | 'scope' | 'endsAt'>;
export type KeyManager = Maker & Pick<Principal, 'keyHash' | 'line'>;
type NewKey = Pick<StoredKey, 'kind' | 'workspace_id' | 'expires_at'> & { readonly scope: Scope };

/** Keys of one line may be in one hand, because whoever makes a key knows it. */
export const lineOf = ({ keyHash, line = keyHash }: Pick<Principal, 'keyHash' | 'line'>): string => line;

const denied = (path: string, rule: string) =>
  new PermissionDenied(`${path}: ${rule}`, { metadata: { path } });

/**
 * The scope of a new key: as asked for, and where nothing is asked for, its maker's. No key may do more than the key that
 * made it, nor in another workspace, from another network or for longer.
 * @throws PermissionDenied
 */
export function scopeOfNew({ kind, workspace_id, expires_at, scope: asked }: NewKey, maker: Maker): Scope {
  const { scope, endsAt } = maker;
  if (!mayActIn(maker, workspace_id))
    throw denied('workspace_id', 'the calling key has no access to this workspace');
  if (endsAt !== null && (expires_at === null || expires_at > endsAt)) {
    throw denied('expires_at', `must be no later than ${endsAt}, when the calling key expires`);
  }
  return {
    workspaces: kind === 'management' ? workspacesOf(asked, maker) : null,
    operations: limitedOperations(kind, asked, scope),
    networks: networksOf(asked, scope),
  };
}

function workspacesOf({ workspaces }: Scope, maker: Maker): readonly string[] | null {
  if (workspaces === null) return maker.scope.workspaces;
  if (workspaces.every((id) => reaches(maker, id))) return workspaces;
  throw denied('scope.workspaces', 'the calling key has no access to some of these workspaces');
}

function limitedOperations(
  kind: KeyKind,
  { operations: asked }: Scope,
  { operations: own }: Scope,
): readonly OperationGroup[] | null {
  if (own === null) return asked;
  const allowed = operationsOf(kind).filter((group) => own.includes(group));
  if (allowed.length === 0)
    throw denied(
      'scope.operations',
      `the calling key has none of the groups that the new key could have: ${operationsOf(kind).join(', ')}`,
    );
  if (asked === null) return allowed;
  const more = asked.filter((group) => !own.includes(group));
  if (more.length === 0) return asked;
  throw denied(
    'scope.operations',
    `must have only groups that the calling key has; the calling key does not have ${more.join(', ')}`,
  );
}

function networksOf({ networks: asked }: Scope, { networks: own }: Scope): readonly string[] | null {
  if (own === null || asked === null) return asked ?? own;
  if (asked.every((inner) => own.some((outer) => contains(outer, inner)))) return asked;
  throw denied('scope.networks', 'each must be within a network of the calling key');
}

/**
 * A management key that is limited to some workspaces is of one of these.
 * @throws InvalidRequest
 */
export function assertInScope({ workspaces }: Pick<Scope, 'workspaces'>, workspaceId: string): void {
  if (workspaces?.includes(workspaceId) ?? true) return;
  throw invalidField('workspace_id', 'must be one of the scope.workspaces of the key');
}

/** Whether the caller may see a key: one of its workspaces, or a management key that acts in these alone. */
export function maySee(caller: Maker, { kind, workspace_id, scope }: StoredKey): boolean {
  if (caller.scope.workspaces === null) return true;
  const isWithin = scope.workspaces?.every((id) => reaches(caller, id)) ?? kind === 'normal';
  return isWithin && mayActIn(caller, workspace_id);
}

/**
 * A limited key changes and ends only keys that may do nothing that it may not. It does not change itself, because its
 * rates and its end limit it too.
 * @param find reads the key; an unlimited caller needs no read
 * @returns the workspace in which a limited caller may manage it: the key may move before it is changed
 * @throws NotFound, PermissionDenied
 */
export async function assertMayManage(
  caller: KeyManager,
  hash: string,
  find: (hash: string) => Promise<StoredKey | undefined>,
): Promise<string | undefined> {
  const { scope } = caller;
  if (scope.workspaces === null && scope.operations === null && scope.networks === null) return undefined;
  if (caller.keyHash === hash)
    throw new PermissionDenied(
      'A key with a restricted scope cannot update itself; use another management key',
    );
  const key = await find(hash);
  if (key === undefined || !maySee(caller, key)) throw keyNotFound();
  const may = key.scope.operations ?? operationsOf(key.kind);
  const more = may.filter((group) => !(scope.operations?.includes(group) ?? true));
  if (more.length > 0)
    throw new PermissionDenied(
      `The calling key lacks operation groups of the key ${hash}: ${more.join(', ')}`,
    );
  return key.workspace_id;
}

/** A key that ends cannot have any key, its own included, end later than itself. */
export function assertEndsInTime(caller: Maker, expiresAt: string | null | undefined): void {
  if (caller.endsAt === null || expiresAt === undefined) return;
  if (expiresAt !== null && expiresAt <= caller.endsAt) return;
  throw denied('expires_at', `must be no later than ${caller.endsAt}, when the calling key expires`);
}
