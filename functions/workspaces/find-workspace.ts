import { NotFound } from '../http/errors.ts';
import type { StoredWorkspace } from './stored-workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (name: string): boolean => UUID.test(name);

export interface ByIdOrSlug<Found> {
  findById(id: string): Promise<Found | undefined>;
  findBySlug(slug: string): Promise<Found | undefined>;
}

/** A slug that looks like a UUID is looked up as an id, and not found. */
export const lookUp = <Found>(store: ByIdOrSlug<Found>, idOrSlug: string): Promise<Found | undefined> =>
  isId(idOrSlug) ? store.findById(idOrSlug.toLowerCase()) : store.findBySlug(idOrSlug);

export const workspaceNotFound = () => new NotFound('No such workspace');

/** By id or slug. */
export async function findWorkspace(
  store: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
  idOrSlug: string,
): Promise<StoredWorkspace> {
  const found = await lookUp(store, idOrSlug);
  if (found === undefined) throw workspaceNotFound();
  return found;
}
