import { useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { lazy, Suspense } from 'preact/compat';
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { answered } from './api/client.ts';
import { AuditPage } from './audit/audit-page.tsx';
import { CataloguePage } from './catalogue/catalogue-page.tsx';
import { CreditsPage } from './credits/credits-page.tsx';
import { FilesPage } from './files/files-page.tsx';
import { GuardrailsPage } from './guardrails/guardrails-page.tsx';
import { KeysPage } from './keys/keys-page.tsx';
import { Navigation, TopBar } from './navigation/top-bar.tsx';
import { Loaded, Loading } from './parts/loaded.tsx';
import { HasMoved, Page } from './parts/page.tsx';
import { ProvidersPage } from './providers/providers-page.tsx';
import { useSession } from './session/session.tsx';
import { GalleryPage } from './videos/gallery-page.tsx';
import { JobPage } from './videos/job-page.tsx';
import { PlaygroundPage } from './videos/playground-page.tsx';
import { SettingsPage } from './workspaces/settings-page.tsx';
import { WorkspacesPage } from './workspaces/workspaces-page.tsx';

/** Loaded when it is opened: the charts are half of the console. */
const UsagePage = lazy(() => import('./usage/usage-page.tsx'));

export function Shell() {
  const { isManagement } = useSession();
  const [path] = useLocation();
  const first = useRef<string | undefined>(path);
  if (path !== first.current) first.current = undefined;
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <TopBar />
      <aside class="sidebar">
        <Navigation />
      </aside>
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
      <Route path="/playground" component={PlaygroundPage} />
      <Route path="/videos/:id">{({ id }) => <JobPage id={id} />}</Route>
      <Route path="/files" component={FilesPage} />
      {isManagement && <Route path="/workspaces" component={WorkspacesPage} />}
      {isManagement && <Route path="/workspaces/:slug">{({ slug }) => <WorkspaceOf slug={slug} />}</Route>}
      {isManagement && <Route path="/settings/:part?">{({ part }) => <SettingsPage part={part} />}</Route>}
      {isManagement && <Route path="/keys" component={KeysPage} />}
      {isManagement && <Route path="/credits" component={CreditsPage} />}
      {isManagement && (
        <Route path="/usage">
          <UsagePage of="workspace" />
        </Route>
      )}
      {isManagement && (
        <Route path="/deployment/usage">
          <UsagePage of="deployment" />
        </Route>
      )}
      {isManagement && <Route path="/guardrails" component={GuardrailsPage} />}
      {isManagement && <Route path="/catalogue" component={CataloguePage} />}
      {isManagement && <Route path="/audit" component={AuditPage} />}
      {isManagement && <Route path="/providers" component={ProvidersPage} />}
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  );
}

/** Says so where a page breaks, so that the way to the others stays. The browser's console has the cause. */
function PageErrors({ children }: { readonly children: ComponentChildren }) {
  const [error, tryAgain] = useErrorBoundary((cause) => reportError(cause));
  if (error === undefined) return <>{children}</>;
  return (
    <Page title="This page cannot be shown">
      <div class="failure" role="alert">
        <p>Something went wrong on this page.</p>
        <p>To see the cause, open the console in the developer tools of your browser.</p>
      </div>
      <div class="actions">
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      </div>
    </Page>
  );
}

/** Whoever opens a workspace works in it from then on: what is changed is always that of the switcher. */
function WorkspaceOf({ slug }: { readonly slug: string }) {
  const { api } = useSession();
  const params = { path: { workspace: slug } };
  const workspace = useQuery({
    queryKey: ['workspace', slug],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}', { params }))).data,
  });
  return (
    <Page title="Workspace">
      <Loaded query={workspace} what="the workspace">
        {({ id }) => <Chosen id={id} />}
      </Loaded>
    </Page>
  );
}

function Chosen({ id }: { readonly id: string }) {
  const { chooseWorkspace } = useSession();
  const [, goTo] = useLocation();
  useEffect(() => {
    chooseWorkspace(id);
    goTo('/settings', { replace: true });
  }, [id]);
  return <Loading what="the workspace" />;
}
