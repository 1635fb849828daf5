import { placeOf } from '../lists/blocks.ts';
import type { ListChange } from '../lists/list-store.ts';
import type { Listed } from '../lists/listed.ts';
import type { StoredWorkspace } from './stored-workspace.ts';
import type { Workspace } from './workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** All entries are of one kind. */
const KIND = 'workspace';

type Rows = Pick<WorkspaceStore, 'list' | 'read'>;

/** All workspaces, oldest first. */
export const workspaceList = (workspaces: Rows): Listed<StoredWorkspace> => ({
  list: 'workspaces',
  all: () => workspaces.list(),
  read: (ids) => workspaces.read(ids),
  idOf: ({ id }) => id,
  entryOf: (workspace) => ({ place: placeIn(workspace), kind: KIND }),
});

type ListedWorkspace = Pick<Workspace, 'id' | 'created_at'>;

const placeIn = ({ id, created_at }: ListedWorkspace) => placeOf(created_at, id);

export const listing = (workspaces: Rows, workspace: ListedWorkspace): ListChange => ({
  listed: workspaceList(workspaces),
  place: placeIn(workspace),
  kind: KIND,
});

export const unlisting = (workspaces: Rows, workspace: ListedWorkspace): ListChange => ({
  ...listing(workspaces, workspace),
  kind: undefined,
});
