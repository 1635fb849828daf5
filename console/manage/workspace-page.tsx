import { useQuery } from '@tanstack/preact-query';
import { useLocation } from 'wouter-preact';
import { answered } from '../api/client.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session/session.ts';
import { Budgets } from './budgets.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { PrivateLogSettings } from './private-log-settings.tsx';
import { ProviderKeys } from './provider-keys.tsx';
import { WebhookSettings } from './webhook-settings.tsx';
import { WorkspaceSettings } from './workspace-settings.tsx';

export function WorkspacePage({ slug }: { readonly slug: string }) {
  const { api } = useSession();
  const [, goTo] = useLocation();
  const params = { path: { workspace: slug } };
  const { data: workspace, error } = useQuery({
    queryKey: ['workspace', slug],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}', { params }))).data,
  });
  if (workspace === undefined) {
    return (
      <Page title="Workspace">
        {error === null ? <Loading what="the workspace" /> : <FailureNote error={error} />}
      </Page>
    );
  }
  const remove = (
    <ConfirmButton
      label="Delete"
      of={workspace.name}
      stale={['workspaces']}
      onDone={() => goTo('/workspaces')}
      act={() => answered(api.DELETE('/workspaces/{workspace}', { params }))}
    >
      <p>
        <b>{workspace.name}</b> goes with its files, videos, provider keys and webhook settings. The API
        refuses while it has active keys or running jobs.
      </p>
    </ConfirmButton>
  );
  return (
    <Page title={workspace.name} actions={remove}>
      {workspace.description !== null && <p>{workspace.description}</p>}
      <div class="sections">
        <Budgets workspaceId={workspace.id} />
        <WebhookSettings workspaceId={workspace.id} />
        <ProviderKeys workspaceId={workspace.id} />
        <PrivateLogSettings workspace={workspace} />
        <WorkspaceSettings workspace={workspace} />
        <DeliveryLog workspaceId={workspace.id} />
      </div>
    </Page>
  );
}
