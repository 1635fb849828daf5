import { useWorkspaces } from '../manage/use-workspaces.ts';
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
    <label class="workspace-choice">
      <span>Workspace</span>
      <select value={workspaceId} onChange={({ currentTarget }) => chooseWorkspace(currentTarget.value)}>
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
