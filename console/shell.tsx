import { lazy, Suspense } from 'preact/compat';
import { useRef } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation } from 'wouter-preact';
import { FilesPage } from './files/files-page.tsx';
import { CreditsPage } from './manage/credits-page.tsx';
import { KeysPage } from './manage/keys-page.tsx';
import { ProvidersPage } from './manage/providers-page.tsx';
import { WorkspacePage } from './manage/workspace-page.tsx';
import { WorkspacesPage } from './manage/workspaces-page.tsx';
import { Navigation } from './navigation.tsx';
import { PageErrors } from './page-errors.tsx';
import { Loading } from './parts/loading.tsx';
import { HasMoved } from './parts/page.tsx';
import { useSession } from './session/session.ts';
import { TopBar } from './session/top-bar.tsx';
import { GalleryPage } from './videos/gallery-page.tsx';
import { JobPage } from './videos/job-page.tsx';
import { SubmitPage } from './videos/submit-page.tsx';

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
      <Route path="/videos/new" component={SubmitPage} />
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
