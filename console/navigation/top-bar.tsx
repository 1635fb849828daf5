import { BookOpen, LogOut, Menu } from 'lucide-preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.tsx';
import { useSession, useWorkspaces } from '../session/session.tsx';
import { Palette } from './palette.tsx';
import { OF_DEPLOYMENT, type Place, type PlaceGroup, placesFor } from './places.ts';

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

export function Navigation() {
  const { isManagement } = useSession();
  return (
    <nav class="navigation" aria-label="Console">
      {placesFor(isManagement).map((group) => (
        <Group key={group.name} group={group} />
      ))}
      <ul>
        <li>
          <a href="/api/v1/docs">
            <BookOpen />
            API reference
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Group({ group: { name, places } }: { readonly group: PlaceGroup }) {
  return (
    <div>
      <h2>{name}</h2>
      <ul>
        {places.map((place) => (
          <li key={place.path}>
            <PlaceLink place={place} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlaceLink({ place: { path, name, icon: Icon } }: { readonly place: Place }) {
  const [here] = useLocation();
  return (
    <Link href={path} {...(isAt(path, here) ? { 'aria-current': 'page' as const } : {})}>
      <Icon />
      {name}
    </Link>
  );
}

/** Also on the pages below it; a video is one of those of `/`. */
function isAt(path: string, here: string): boolean {
  if (path === '/') return here === '/' || here.startsWith('/videos/');
  return here === path || here.startsWith(`${path}/`);
}
