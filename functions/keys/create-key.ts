import { randomBytes } from 'node:crypto';
import type { NamedItems } from '../aws/dynamo-writes.ts';
import type { KeyKind, RateLimits } from '../http/call.ts';
import { InvalidRequest, invalidField } from '../http/errors.ts';
import { type Scope, UNLIMITED } from '../http/scope.ts';
import type { ListStore } from '../lists/list-store.ts';
import { type Account, emptyAccount, keyAccount } from '../money/account.ts';
import type { LimitsChange } from '../money/account-update.ts';
import { DEFAULT_WORKSPACE_ID, defaultWorkspace } from '../workspaces/workspace.ts';
import { SlugTaken } from '../workspaces/workspace-rows.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { generateKey, hashKey, labelKey } from './key-format.ts';
import { changeKeyLimit } from './key-limit.ts';
import {
  GuardrailMissing,
  KeyLives,
  type KeyLivesStores,
  noSuchGuardrail,
  WorkspaceMissing,
} from './key-lives.ts';
import type { RequestedKey } from './key-requests.ts';
import { assertInScope, type KeyManager, lineOf, OPERATIONS_OF_API_KEYS, scopeOfNew } from './key-scope.ts';
import type { StoredKey } from './key-store.ts';

/** @throws InvalidRequest */
export function assertInFuture(expiresAt: string | null | undefined, now: Date): void {
  if (expiresAt === null || expiresAt === undefined || Date.parse(expiresAt) > now.getTime()) return;
  throw invalidField('expires_at', 'must be in the future');
}

/** A key that has not begun yet, and its limit. */
export interface NewKey {
  readonly stored: StoredKey;
  readonly account: Account;
}

/**
 * Makes a key with its limit, which opens nothing before it has begun.
 * @param maker who asks for it; the key may not do more
 * @returns the key, this once in clear
 * @throws InvalidRequest, PermissionDenied
 */
export function makeKey(
  requested: Omit<RequestedKey, 'scope'> & { readonly scope: Scope },
  maker: KeyManager,
  now: Date,
  random: (size: number) => Uint8Array,
): NewKey & { readonly key: string } {
  assertInFuture(requested.expires_at, now);
  const kind = requested.management ? ('management' as const) : ('normal' as const);
  const workspaceId =
    requested.workspace_id?.toLowerCase() ?? requested.scope.workspaces?.[0] ?? maker.workspaceId;
  const { scope: asked, expires_at } = requested;
  assertScopeFits(kind, workspaceId, asked);
  const request = {
    kind,
    ...(requested.management && { line: lineOf(maker) }),
    name: requested.name,
    workspaceId,
    scope: scopeOfNew({ kind, workspace_id: workspaceId, expires_at, scope: asked }, maker),
    creatorUserId: requested.creator_user_id,
    externalUser: requested.external_user ?? requested.external?.user ?? null,
    external: requested.external,
    expiresAt: requested.expires_at,
    rateLimits: requested.rate_limits,
    guardrailId: requested.guardrail_id,
  };
  const { key, stored } = issueKey(request, now, random);
  const unlimited = emptyAccount(keyAccount(stored.hash));
  const { limits, countsByok } = changeKeyLimit(unlimited, requested, now);
  return { key, stored, account: { ...unlimited, limits, counts_byok: countsByok } };
}

/**
 * Lets a key that has been made begin. Its workspace must exist and go on existing.
 * @param namedAt the field of the request that names the workspace, if one does
 * @param also what is written in the same transaction
 * @throws InvalidRequest
 */
export async function beginKey(
  { stored, account: { limits, counts_byok: countsByok } }: NewKey,
  lives: Pick<KeyLives, 'begin'>,
  { namedAt, also }: { readonly namedAt?: string | undefined; readonly also?: NamedItems } = {},
): Promise<void> {
  try {
    await lives.begin(stored, { limits, countsByok }, also);
  } catch (cause) {
    if (cause instanceof GuardrailMissing) throw noSuchGuardrail(cause);
    if (!(cause instanceof WorkspaceMissing)) throw cause;
    if (namedAt !== undefined) throw invalidField(namedAt, 'no such workspace', { cause });
    throw new InvalidRequest(
      `The workspace ${stored.workspace_id} of the new key does not exist; request a key in another workspace`,
      { cause },
    );
  }
}

/** @throws InvalidRequest */
function assertScopeFits(kind: KeyKind, workspaceId: string, asked: Scope): void {
  const { workspaces, operations } = asked;
  if (kind === 'normal') {
    if (workspaces !== null)
      throw invalidField('scope.workspaces', 'an API key can act only in its own workspace; omit this field');
    const strange = operations?.find((each) => !OPERATIONS_OF_API_KEYS.some((own) => own === each));
    if (strange === undefined) return;
    throw invalidField(
      'scope.operations',
      `API keys can have only the groups ${OPERATIONS_OF_API_KEYS.join(', ')}`,
    );
  }
  assertInScope(asked, workspaceId);
}

export interface KeyRequest {
  readonly kind: KeyKind;
  /** @default its own: nobody else knows it */
  readonly line?: string | undefined;
  readonly name: string;
  readonly workspaceId: string;
  readonly creatorUserId: string | null;
  /** Whom the caller gave the key to, in the caller's words. */
  readonly externalUser: string | null;
  readonly external?: StoredKey['external'] | null;
  readonly expiresAt: string | null;
  readonly scope: Scope;
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
  const key = generateKey(request.kind, random);
  const stored: StoredKey = {
    hash: hashKey(key),
    kind: request.kind,
    name: request.name,
    label: labelKey(key),
    workspace_id: request.workspaceId,
    creator_user_id: request.creatorUserId,
    ...(request.line === undefined ? {} : { line: request.line }),
    external_user: request.externalUser,
    ...(request.external ? { external: request.external } : {}),
    rate_limits: request.rateLimits,
    guardrail_id: request.guardrailId ?? null,
    scope: request.scope,
    disabled: false,
    expires_at: request.expiresAt,
    created_at: now.toISOString(),
    updated_at: null,
    last_used_at: null,
  };
  return { key, stored };
}

interface RotationPorts {
  readonly lives: Pick<KeyLives, 'begin' | 'change'>;
  readonly now: Date;
  readonly random: (size: number) => Uint8Array;
  /** The limits of the old key. The new one gets the same; its counts begin at zero. */
  readonly money: LimitsChange;
}

/**
 * Makes a key with everything of the old one but its secret and its usage. The old one ends after `overlap`
 * milliseconds, or earlier if it was to end anyway. The new one is made first, so a failure in between leaves both
 * alive, never none.
 * @returns the new key in clear
 */
export async function rotateKey(old: StoredKey, overlap: number, ports: RotationPorts): Promise<string> {
  const { lives, now, random, money } = ports;
  const request = {
    kind: old.kind,
    // Who had the old key gets the new one.
    ...(old.kind === 'management' && { line: old.line ?? old.hash }),
    name: old.name,
    workspaceId: old.workspace_id,
    creatorUserId: old.creator_user_id,
    externalUser: old.external_user,
    external: old.external ?? null,
    expiresAt: old.expires_at,
    rateLimits: old.rate_limits,
    guardrailId: old.guardrail_id,
    scope: old.scope,
  };
  const { key, stored } = issueKey(request, now, random);
  await lives.begin(stored, money);
  const end = new Date(now.getTime() + overlap).toISOString();
  const isSooner = old.expires_at === null || end < old.expires_at;
  await lives.change(
    old.hash,
    overlap === 0 ? { disabled: true } : { expires_at: isSooner ? end : old.expires_at },
    now,
  );
  return key;
}

/**
 * Makes a management key with AWS credentials for the tables; the first one comes to be in this way. The default
 * workspace, in which management keys act, is made with it.
 */
export async function createManagementKey(
  stores: KeyLivesStores & { readonly workspaces: Pick<WorkspaceStore, 'create'> },
  name: string,
  now: Date,
  random: (size: number) => Uint8Array = randomBytes,
  { scope, expiresAt }: Pick<KeyRequest, 'scope' | 'expiresAt'> = { scope: UNLIMITED, expiresAt: null },
): Promise<string> {
  const request = {
    kind: 'management' as const,
    name,
    workspaceId: scope.workspaces?.[0] ?? DEFAULT_WORKSPACE_ID,
    creatorUserId: null,
    externalUser: null,
    expiresAt,
    scope,
    rateLimits: {},
  };
  const { key, stored } = issueKey(request, now, random);
  await ensureDefaultWorkspace(stores, now, stored.hash);
  await new KeyLives(stores).begin(stored, { limits: {}, countsByok: false });
  return key;
}

async function ensureDefaultWorkspace(
  {
    workspaces,
    lists,
  }: { readonly workspaces: Pick<WorkspaceStore, 'create'>; readonly lists: Pick<ListStore, 'write'> },
  now: Date,
  createdBy: string,
): Promise<void> {
  try {
    await workspaces.create(defaultWorkspace(now, createdBy), lists);
  } catch (error) {
    if (!(error instanceof SlugTaken)) throw error;
  }
}
