import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { RemovalStore } from '../../workspaces/removal-store.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

export const workspaceStore = () => new WorkspaceStore(dynamo, setting('workspacesTable'));

/** Deleted workspaces, as long as anything is left of them. */
export const removalStore = () => new RemovalStore(dynamo, setting('workspacesTable'));
