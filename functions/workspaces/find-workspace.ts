import { invalidField, NotFound, PermissionDenied } from '../http/errors.ts';
import { type Caller, mayActIn } from '../http/scope.ts';
import { WORKSPACE_RULE } from '../http/validation.ts';
import { isSlug, type StoredWorkspace } from './workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (name: string): boolean => UUID.test(name);

export interface ByIdOrSlug<Found> {
  findById(id: string): Promise<Found | undefined>;
  findBySlug(slug: string): Promise<Found | undefined>;
}

/**
 * A slug that looks like a UUID is looked up as an id, and not found. Text that cannot be a slug is not looked up:
 * DynamoDB refuses a key of more than 2,048 bytes.
 */
export async function lookUp<Found>(store: ByIdOrSlug<Found>, idOrSlug: string): Promise<Found | undefined> {
  if (isId(idOrSlug)) return store.findById(idOrSlug.toLowerCase());
  return isSlug(idOrSlug) ? store.findBySlug(idOrSlug) : undefined;
}

export const workspaceNotFound = () => new NotFound('No such workspace');

/** By id or slug. The answer is the same where the caller may not act in it and where there is none. */
export async function findWorkspace(
  caller: Caller,
  store: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
  idOrSlug: string,
): Promise<StoredWorkspace> {
  const found = await lookUp(store, idOrSlug);
  if (found === undefined || !mayActIn(caller, found.id)) throw workspaceNotFound();
  return found;
}

type Workspaces = ByIdOrSlug<{ readonly id: string }>;

/**
 * The id of the workspace that a request acts in: the key's own, or the one it names. The answer is the same for
 * somebody else's workspace and for one that does not exist.
 * @param refusal for a workspace that the key may not act in
 * @throws InvalidRequest for text that is neither an id nor the slug of a workspace that the key may act in
 */
export async function actingWorkspace(
  caller: Caller,
  named: string | undefined,
  workspaces: Workspaces,
  refusal: () => Error = foreignWorkspace,
): Promise<string> {
  const { workspaceId } = caller;
  if (named === undefined || named.toLowerCase() === workspaceId) return workspaceId;
  // Nobody learns whether somebody else's workspace exists.
  if (isId(named) && !mayActIn(caller, named.toLowerCase())) throw refusal();
  const found = await lookUp(workspaces, named);
  if (found !== undefined && mayActIn(caller, found.id)) return found.id;
  throw isId(named) ? refusal() : invalidField('workspace_id', WORKSPACE_RULE);
}

export const foreignWorkspace = (cause?: unknown): PermissionDenied =>
  new PermissionDenied('workspace_id: there is no such workspace, or the calling key has no access to it', {
    cause,
    metadata: { path: 'workspace_id' },
  });

/**
 * The id of the workspace that a management key names, or else of the one in which it acts. Whether the id exists, its
 * user finds out.
 */
export async function namedWorkspace(
  caller: Caller,
  named: string | undefined,
  workspaces: Workspaces,
  path = 'workspace_id',
): Promise<string> {
  if (named === undefined) return caller.workspaceId;
  const id = isId(named) ? named.toLowerCase() : (await lookUp(workspaces, named))?.id;
  if (id === undefined || !mayActIn(caller, id)) throw invalidField(path, 'no such workspace');
  return id;
}
