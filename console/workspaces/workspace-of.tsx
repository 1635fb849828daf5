import { useQuery } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { answered } from '../api/client.ts';
import { Loaded, Loading } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';

/** Whoever opens a workspace works in it from then on: what is changed is always that of the switcher. */
export function WorkspaceOf({ slug }: { readonly slug: string }) {
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
