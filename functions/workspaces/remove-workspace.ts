import type { TellUnreadable } from '../aws/dynamo-reads.ts';
import { refusedBy } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import type { DestinationStore } from '../broadcast/destination-store.ts';
import { InvalidRequest, ServiceUnavailable } from '../http/errors.ts';
import { type Caller, mayActIn } from '../http/scope.ts';
import type { ListStore } from '../lists/list-store.ts';
import { workspaceAccount } from '../money/account.ts';
import type { AccountStore } from '../money/account-store.ts';
import type { ProviderKeyStore } from '../provider-keys/provider-key-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { WebhookSettingsStore } from '../webhooks/settings/webhook-settings.ts';
import { lookUp, workspaceNotFound } from './find-workspace.ts';
import type { Removal, RemovalStore } from './removal-store.ts';
import { DEFAULT_WORKSPACE_ID, type StoredWorkspace } from './workspace.ts';
import { unlisting, type WorkspaceStore } from './workspace-store.ts';

/** What the deletion needs to know of a key. The store of keys imports workspaces, so workspaces must not import it. */
interface WorkspaceKey {
  readonly hash: string;
  readonly name: string;
  readonly label: string;
  readonly disabled: boolean;
  readonly expires_at: string | null;
}

export interface RemoveWorkspacePorts extends RemoveSettingsPorts {
  readonly workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug' | 'list' | 'read'>;
  readonly removals: Pick<RemovalStore, 'begin' | 'findById' | 'findBySlug' | 'freeSlug'>;
  readonly keys: {
    find(hash: string): Promise<WorkspaceKey | undefined>;
    list(filter: { readonly workspaceId: string }): AsyncIterable<WorkspaceKey>;
  };
  readonly accounts: Pick<AccountStore, 'closeIdle'>;
  /** What links without a credential lead to. */
  readonly linked: readonly Holding[];
  readonly now: () => Date;
}

const ATTEMPTS = 5;

/**
 * Deletes a workspace that nobody can use any more. One transaction decides. What follows can be repeated, and is, when
 * the same request comes again after a crash. Slow work is left to `purgeWorkspace`, but not the bytes that links lead to:
 * no link works once the deletion is answered.
 * @throws NotFound, InvalidRequest, ServiceUnavailable
 */
export async function removeWorkspace(
  caller: Caller,
  idOrSlug: string,
  ports: RemoveWorkspacePorts,
): Promise<void> {
  const removal = await beginRemoval(caller, idOrSlug, ports);
  const deadline = new Date(ports.now().getTime() + BYTES_MILLISECONDS);
  await removeSettings(removal.id, ports);
  await removeLinked(removal.id, deadline, ports);
  await ports.removals.freeSlug(removal);
}

/** Of the 29 seconds that API Gateway waits. */
const BYTES_MILLISECONDS = 20_000;

async function removeLinked(
  workspaceId: string,
  deadline: Date,
  { linked, now }: Pick<RemoveWorkspacePorts, 'linked' | 'now'>,
): Promise<void> {
  const remove = async (holding: Holding) => {
    for await (const _ of holding.removeAll(workspaceId)) if (now() >= deadline) throw unfinishedBytes();
  };
  await Promise.all(linked.map(remove));
}

const unfinishedBytes = () =>
  new ServiceUnavailable(
    'The workspace has been deleted, but some of its files and videos have not; send the request again',
    { headers: { 'retry-after': '1' } },
  );

/**
 * The workspace's account is closed in the same transaction, so that no job begins in it. A key that begins or ends
 * meanwhile changes the workspace's version, and then the keys are looked at again.
 */
function beginRemoval(caller: Caller, idOrSlug: string, ports: RemoveWorkspacePorts): Promise<Removal> {
  const attempt = async () => {
    const workspace = await lookUp(ports.workspaces, idOrSlug);
    if (workspace === undefined) return unfinished(caller, idOrSlug, ports);
    if (!mayActIn(caller, workspace.id)) throw workspaceNotFound();
    if (workspace.id === DEFAULT_WORKSPACE_ID) {
      throw new InvalidRequest('The default workspace cannot be deleted');
    }
    await assertNoActiveKeys(workspace, ports);
    return tryToBegin(workspace, ports);
  };
  const exhausted = () => new Error(`the workspace changed ${ATTEMPTS} times while it was being deleted`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}

/** Undefined when the workspace has changed since it was read. */
async function tryToBegin(
  workspace: StoredWorkspace,
  { workspaces, lists, removals, accounts, now }: RemoveWorkspacePorts,
): Promise<Removal | undefined> {
  const { id, slug } = workspace;
  const at = now();
  try {
    const account = accounts.closeIdle(workspaceAccount(id));
    const hasBegun = await removals.begin(workspace, at, { account }, (items) =>
      lists.write(items, [unlisting(workspaces, workspace)]),
    );
    return hasBegun ? { id, slug, removed_at: at.toISOString(), slug_freed: false } : undefined;
  } catch (cause) {
    if (!refusedBy(cause, 'account')) throw cause;
    throw new InvalidRequest(
      'The workspace has jobs that have not ended; cancel them or wait for them to end first',
      { cause },
    );
  }
}

/** The removal that an earlier try has left unfinished, if any. */
async function unfinished(
  caller: Caller,
  idOrSlug: string,
  { removals }: RemoveWorkspacePorts,
): Promise<Removal> {
  const removal = await lookUp(removals, idOrSlug);
  const isOurs = removal !== undefined && mayActIn(caller, removal.id);
  if (!isOurs || removal.slug_freed) throw workspaceNotFound();
  return removal;
}

/** The count is exact. The list may lag behind; it only helps to name a key, and to tell which keys have expired. */
async function assertNoActiveKeys(
  { id, live_keys }: StoredWorkspace,
  { keys, now }: RemoveWorkspacePorts,
): Promise<void> {
  if (live_keys <= 0) return;
  let expired = 0;
  for await (const { hash } of keys.list({ workspaceId: id })) {
    const key = await keys.find(hash);
    if (key === undefined || key.disabled) continue;
    if (key.expires_at === null || new Date(key.expires_at) > now()) {
      throw new InvalidRequest(
        `The workspace has active keys, such as "${key.name}" (${key.label}); disable or delete them first`,
      );
    }
    expired++;
  }
  if (expired < live_keys) {
    throw new InvalidRequest('The workspace has active keys; disable or delete them first');
  }
}

export interface RemoveSettingsPorts {
  readonly providerKeys: Pick<ProviderKeyStore, 'list' | 'remove'>;
  readonly lists: Pick<ListStore, 'write'>;
  /** Guardrails import workspaces, so workspaces must not import them. */
  readonly guardrails: { clear(workspaceId: string): Promise<void> };
  readonly webhooks: Pick<WebhookSettingsStore, 'clear'>;
  readonly broadcasts: Pick<DestinationStore, 'remove'>;
}

/** Removes the settings of a deleted workspace, its secrets first. It may run again. */
export async function removeSettings(
  workspaceId: string,
  { providerKeys, lists, guardrails, webhooks, broadcasts }: RemoveSettingsPorts,
): Promise<void> {
  for await (const { id } of providerKeys.list(workspaceId)) await providerKeys.remove(id, lists);
  await broadcasts.remove(workspaceId);
  await webhooks.clear(workspaceId);
  await guardrails.clear(workspaceId);
}

/** One kind of things that workspaces hold. */
export interface Holding {
  /** Removes them all, some at a time. It may be stopped after each time, and begun anew. */
  removeAll(workspaceId: string): AsyncIterable<unknown>;
}

export interface StrippedJobs {
  /** The last job that is done; undefined where none was. */
  readonly last: string | undefined;
  /** `open`: the next job has not ended, or not long enough ago, and those behind it wait too. */
  readonly left: 'none' | 'more' | 'open';
}

/** Jobs import workspaces, so workspaces must not import them. */
export interface PurgedJobs {
  /**
   * Strips jobs of everything but what reports show, as many as one call takes, in the order of their ids.
   * @param after the job behind which it goes on @default it begins with the first
   */
  stripSome(workspaceId: string, after: string | undefined, endedBefore: Date): Promise<StrippedJobs>;
}

export interface PurgePorts extends RemoveSettingsPorts {
  readonly removals: Pick<RemovalStore, 'freeSlug' | 'noteStripped' | 'noteEmptied' | 'forget'>;
  /** They come first. */
  readonly jobs: PurgedJobs;
  /** In this order: what may lead to something else comes first. */
  readonly holdings: readonly Holding[];
  readonly now: () => Date;
}

/**
 * Longer than anything can have been under way when the workspace was deleted: an upload may take a quarter of an hour.
 */
export const REST_MILLISECONDS = 60 * 60_000;

/**
 * Until the workspace's events are gone, they are delivered. A delivery that was under way then notes how its receiver
 * did, within a minute, and an index may show that minutes later.
 */
export const SECOND_LOOK_MILLISECONDS = 10 * 60_000;

/**
 * Removes what a deleted workspace held, a call at a time until `deadline`. The row that says so is removed last, so
 * that the next run finds whatever is left. All else waits for the jobs: the end of one whose event is gone would be told
 * again. One that still runs, because it was let out of quarantine, is waited for. Once all is gone, a later run looks for
 * what has come since.
 * @returns whether nothing is left
 */
export async function purgeWorkspace(removal: Removal, deadline: Date, ports: PurgePorts): Promise<boolean> {
  if (ports.now().getTime() < nextLookAt(removal)) return false;
  await removeSettings(removal.id, ports);
  if (!removal.slug_freed) await ports.removals.freeSlug(removal);
  if (!(await stripJobs(removal, deadline, ports))) return false;
  for (const holding of ports.holdings) {
    for await (const _ of holding.removeAll(removal.id)) if (ports.now() >= deadline) return false;
  }
  if (removal.emptied_at === undefined) {
    await ports.removals.noteEmptied(removal, ports.now());
    return false;
  }
  await ports.removals.forget(removal);
  return true;
}

const nextLookAt = ({ removed_at, emptied_at }: Removal): number =>
  emptied_at === undefined
    ? Date.parse(removed_at) + REST_MILLISECONDS
    : Date.parse(emptied_at) + SECOND_LOOK_MILLISECONDS;

/** @returns whether all jobs are stripped */
async function stripJobs(
  removal: Removal,
  deadline: Date,
  { jobs, removals, now }: PurgePorts,
): Promise<boolean> {
  for (let after = removal.stripped_until; ; ) {
    const endedBefore = new Date(now().getTime() - REST_MILLISECONDS);
    const { last, left } = await jobs.stripSome(removal.id, after, endedBefore);
    if (last !== undefined) await removals.noteStripped(removal, last);
    if (left !== 'more' || now() >= deadline) return left === 'none';
    after = last;
  }
}

export interface PurgeAllPorts extends PurgePorts {
  readonly removals: Pick<RemovalStore, 'list' | 'freeSlug' | 'noteStripped' | 'noteEmptied' | 'forget'>;
  readonly tellUnreadable: TellUnreadable;
  readonly log: Pick<Log, 'info' | 'error'>;
}

const MINUTE = 60_000;

/**
 * Purges deleted workspaces until `deadline`. Each minute another one is the first, so that none waits for long behind
 * one that holds much, and one that cannot be purged does not delay the others.
 */
export async function purgeWorkspaces(deadline: Date, ports: PurgeAllPorts): Promise<void> {
  const { removals, now, tellUnreadable, log } = ports;
  const all = await Array.fromAsync(removals.list(tellUnreadable));
  const first = Math.floor(now().getTime() / MINUTE) % all.length;
  for (const removal of [...all.slice(first), ...all.slice(0, first)]) {
    if (now() >= deadline) return;
    try {
      const isDone = await purgeWorkspace(removal, deadline, ports);
      if (isDone) log.info('workspace purged', { workspace_id: removal.id });
    } catch (error) {
      log.error('workspace not purged yet', { workspace_id: removal.id, error });
    }
  }
}
