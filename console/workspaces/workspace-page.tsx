import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section, useGoOn } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';
import { Budgets } from './budgets.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { PrivateLogSettings } from './private-log-settings.tsx';
import { ProviderKeys } from './provider-keys.tsx';
import { WebhookSettings } from './webhook-settings.tsx';

export function WorkspacePage({ slug }: { readonly slug: string }) {
  const { api } = useSession();
  const params = { path: { workspace: slug } };
  const workspace = useQuery({
    queryKey: ['workspace', slug],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}', { params }))).data,
  });
  return (
    <Page
      title={workspace.data?.name ?? 'Workspace'}
      actions={workspace.data && <DeleteWorkspace workspace={workspace.data} />}
    >
      <Loaded query={workspace} what="the workspace">
        {(known) => <WorkspaceSections workspace={known} />}
      </Loaded>
    </Page>
  );
}

function WorkspaceSections({ workspace }: { readonly workspace: Workspace }) {
  const { id, description } = workspace;
  return (
    <>
      {description !== null && <p>{description}</p>}
      <div class="sections">
        <Budgets workspaceId={id} />
        <WebhookSettings workspaceId={id} />
        <ProviderKeys workspaceId={id} />
        <PrivateLogSettings workspace={workspace} />
        <WorkspaceSettings workspace={workspace} />
        <DeliveryLog workspaceId={id} />
      </div>
    </>
  );
}

function DeleteWorkspace({ workspace: { id, slug, name } }: { readonly workspace: Workspace }) {
  const { api, currentKey, workspaceId, chooseWorkspace } = useSession();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const params = { path: { workspace: slug } };
  return (
    <ConfirmButton
      label="Delete"
      of={name}
      stale={['workspaces']}
      onDone={() => {
        goOn('/workspaces');
        queries.removeQueries({ queryKey: ['workspace'] });
        // Nothing of the deleted one could be shown any more.
        if (workspaceId === id) chooseWorkspace(currentKey.workspace_id);
      }}
      act={() => answered(api.DELETE('/workspaces/{workspace}', { params }))}
    >
      <p>
        <b>{name}</b> goes with its files, videos, provider keys and webhook settings. The API refuses while
        it has active keys or running jobs.
      </p>
    </ConfirmButton>
  );
}

/** What people call it, and what it is for. Its slug stays: programs know it by that. */
function WorkspaceSettings({ workspace }: { readonly workspace: Workspace }) {
  const { api } = useSession();
  const { slug, name, description } = workspace;
  const save = useAction(
    (form: HTMLFormElement) => {
      const body = { name: textIn(form, 'name') ?? '', description: textIn(form, 'description') ?? null };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: slug } }, body }));
    },
    ['workspace', 'workspaces'],
  );
  return (
    <Section title="Settings">
      <ActionForm action={save} submit="Save the settings" done="Saved.">
        <Field label="Name">
          {(field) => <input {...field} key={name} name="name" required defaultValue={name} />}
        </Field>
        <Field label="About">
          {(field) => (
            <input {...field} key={description} name="description" defaultValue={description ?? ''} />
          )}
        </Field>
      </ActionForm>
    </Section>
  );
}
