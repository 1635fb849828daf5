import { randomBytes } from 'node:crypto';
import type { ListStore } from '../lists/list-store.ts';
import { DEFAULT_WORKSPACE_ID, defaultWorkspace } from '../workspaces/default-workspace.ts';
import { SlugTaken } from '../workspaces/slug-rows.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { issueKey } from './key.ts';
import { KeyLives, type KeyLivesStores } from './key-lives.ts';

/**
 * Makes a management key with AWS credentials for the tables; the first one comes to be in this way. The default
 * workspace, in which management keys act, is made with it.
 */
export async function createManagementKey(
  stores: KeyLivesStores & { readonly workspaces: Pick<WorkspaceStore, 'create'> },
  name: string,
  now: Date,
): Promise<string> {
  const request = {
    kind: 'management' as const,
    name,
    workspaceId: DEFAULT_WORKSPACE_ID,
    creatorUserId: null,
    externalUser: null,
    expiresAt: null,
    rateLimits: {},
  };
  const { key, stored } = issueKey(request, now, randomBytes);
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
