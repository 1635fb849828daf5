import { LogOut, Menu } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.tsx';
import { useSession } from '../session/session.tsx';
import { useWorkspaces } from '../session/use-workspaces.ts';
import { isAt, Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { OF_DEPLOYMENT } from './places.ts';

export function TopBar() {
  const { isManagement, signOut } = useSession();
  return (
    <header class="top-bar">
      <Drawer />
      <a class="brand" href="#/" aria-label="Genway">
        <img src="/console/icon.svg" alt="" />
        <span>Genway</span>
      </a>
      {isManagement && <WorkspaceChoice />}
      <div class="spring" />
      <Palette />
      <KeyName />
      <button type="button" class="plain sign-out" aria-label="Sign out" onClick={signOut}>
        <LogOut />
        <span>Sign out</span>
      </button>
    </header>
  );
}

/** Who is signed in. */
function KeyName() {
  const { currentKey, isManagement } = useSession();
  return (
    <div class="key-name" title={currentKey.label}>
      <span>{currentKey.name}</span>
      <small>{isManagement ? 'Management key' : 'API key'}</small>
    </div>
  );
}

/** The navigation, where the page is too narrow to show it beside the content. */
function Drawer() {
  const [isOpen, setOpen] = useState(false);
  const [path] = useLocation();
  useEffect(() => setOpen(false), [path]);
  return (
    <>
      <button
        type="button"
        class="plain icon open-drawer"
        aria-label="Open navigation"
        onClick={() => setOpen(true)}
      >
        <Menu />
      </button>
      {isOpen && (
        <Dialog title="Genway" kind="drawer" onClose={() => setOpen(false)}>
          <KeyName />
          <Navigation />
        </Dialog>
      )}
    </>
  );
}

function WorkspaceChoice() {
  const { workspaceId, chooseWorkspace } = useSession();
  const { data: workspaces = [] } = useWorkspaces();
  const [here] = useLocation();
  // Of a page that shows all of them it would choose nothing.
  if (OF_DEPLOYMENT.some(({ path }) => isAt(path, here)))
    return <span class="workspace-choice quiet">All workspaces</span>;
  return (
    <div class="workspace-choice">
      <select
        aria-label="Workspace"
        value={workspaceId}
        onChange={({ currentTarget }) => chooseWorkspace(currentTarget.value)}
      >
        {workspaces.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
