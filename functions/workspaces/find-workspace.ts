import { NotFound } from '../http/errors.ts';
import type { StoredWorkspace, WorkspaceStore } from './workspace-store.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** By id or slug. A slug that looks like a UUID is found by neither look-up of the other kind. */
export async function findWorkspace(
  store: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
  idOrSlug: string,
): Promise<StoredWorkspace> {
  const found = UUID.test(idOrSlug)
    ? await store.findById(idOrSlug.toLowerCase())
    : await store.findBySlug(idOrSlug);
  if (found === undefined) throw new NotFound('No such workspace');
  return found;
}
