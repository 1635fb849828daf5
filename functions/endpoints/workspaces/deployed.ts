import { dynamo } from '../../aws/dynamo.ts';
import { setting } from '../../environment.ts';
import { WorkspaceStore } from '../../workspaces/workspace-store.ts';

export const workspaceStore = () => new WorkspaceStore(dynamo, setting('workspacesTable'));
