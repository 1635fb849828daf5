import { useWorkspaces } from '../manage/use-workspaces.ts';
import { SelectField } from '../parts/select-field.tsx';
import { useSession } from './session.ts';

export function TopBar() {
  const { currentKey, isManagement, signOut } = useSession();
  return (
    <header class="top-bar">
      <a class="brand" href="#/">
        Genway
      </a>
      {isManagement && <WorkspaceChoice />}
      <span class="spring" />
      <span class="key-name" title={currentKey.label}>
        {currentKey.name}
        <small>{isManagement ? 'management key' : 'API key'}</small>
      </span>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </header>
  );
}

function WorkspaceChoice() {
  const { workspaceId, chooseWorkspace } = useSession();
  const { data: workspaces = [] } = useWorkspaces();
  return (
    <div class="workspace-choice">
      <SelectField
        label="Workspace"
        value={workspaceId}
        choices={workspaces.map(({ id, name }) => [id, name] as const)}
        onChange={chooseWorkspace}
      />
    </div>
  );
}
