import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useErrorBoundary, useRef } from 'preact/hooks';
import { Link, Redirect, Route, Switch, useLocation, useRoute } from 'wouter-preact';
import { CreditsPage } from './credits/credits-page.tsx';
import { FilesPage } from './files/files-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { SelectField } from './parts/form.tsx';
import { Loading } from './parts/loaded.tsx';
import { HasMoved, Page } from './parts/page.tsx';
import { ProvidersPage } from './providers/providers-page.tsx';
import { useSession } from './session/session.tsx';
import { GalleryPage } from './videos/gallery-page.tsx';
import { JobPage } from './videos/job-page.tsx';
import { SubmitPage } from './videos/submit-page.tsx';
import { useWorkspaces } from './workspaces/use-workspaces.ts';
import { WorkspacePage } from './workspaces/workspace-page.tsx';
import { WorkspacesPage } from './workspaces/workspaces-page.tsx';

/** Loaded when it is opened: the charts are half of the console. */
const ActivityPage = lazy(() => import('./activity/activity-page.tsx'));

export function Shell() {
  const { isManagement } = useSession();
  const [path] = useLocation();
  const first = useRef<string | undefined>(path);
  if (path !== first.current) first.current = undefined;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <TopBar />
      <Navigation isManagement={isManagement} />
      <main id="main" tabIndex={-1}>
        <HasMoved.Provider value={first.current === undefined}>
          <PageErrors key={path}>
            <Suspense fallback={<Loading what="the page" />}>
              <Pages isManagement={isManagement} />
            </Suspense>
          </PageErrors>
        </HasMoved.Provider>
      </main>
    </div>
  );
}

function Pages({ isManagement }: { readonly isManagement: boolean }) {
  return (
    <Switch>
      <Route path="/" component={GalleryPage} />
      <Route path="/videos/new">
        <SubmitPage />
      </Route>
      <Route path="/videos/new/:from">{({ from }) => <SubmitPage key={from} from={from} />}</Route>
      <Route path="/videos/:id">{({ id }) => <JobPage id={id} />}</Route>
      <Route path="/files" component={FilesPage} />
      {isManagement && <Route path="/workspaces" component={WorkspacesPage} />}
      {isManagement && <Route path="/workspaces/:slug">{({ slug }) => <WorkspacePage slug={slug} />}</Route>}
      {isManagement && <Route path="/keys" component={KeysPage} />}
      {isManagement && <Route path="/credits" component={CreditsPage} />}
      {isManagement && <Route path="/activity" component={ActivityPage} />}
      {isManagement && <Route path="/providers" component={ProvidersPage} />}
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}

function TopBar() {
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

const CALLERS = [
  ['/', 'Videos'],
  ['/videos/new', 'New video'],
  ['/files', 'Files'],
] as const;
const MANAGERS = [
  ['/workspaces', 'Workspaces'],
  ['/keys', 'Keys'],
  ['/credits', 'Credits'],
  ['/activity', 'Activity'],
  ['/providers', 'Providers'],
] as const;

function Navigation({ isManagement }: { readonly isManagement: boolean }) {
  return (
    <nav class="navigation" aria-label="Console">
      <ul>
        {[...CALLERS, ...(isManagement ? MANAGERS : [])].map(([path, name]) => (
          <li key={path}>
            <NavigationLink path={path} name={name} />
          </li>
        ))}
        <li>
          <a href="/api/v1/docs">API reference</a>
        </li>
      </ul>
    </nav>
  );
}

function NavigationLink({ path, name }: { readonly path: string; readonly name: string }) {
  const [isHere] = useRoute(path);
  return (
    <Link href={path} {...(isHere ? { 'aria-current': 'page' as const } : {})}>
      {name}
    </Link>
  );
}

/** Says so where a page breaks, so that the way to the others stays. The browser's console has the cause. */
function PageErrors({ children }: { readonly children: ComponentChildren }) {
  const [error, tryAgain] = useErrorBoundary((cause) => reportError(cause));
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page cannot be shown">
      <div class="failure" role="alert">
        <p>The API answered something that the console does not understand.</p>
        <p>Is the address right? Otherwise the browser’s own console has the cause.</p>
      </div>
      <div class="actions">
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      </div>
    </Page>
  );
}
