import { useQuery, useQueryClient } from '@tanstack/preact-query';
import { Trash2 } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { ConfirmButton } from '../parts/confirm.tsx';
import { ActionForm, Field, numberIn, PercentField, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, Section, useGoOn } from '../parts/page.tsx';
import { PageTabs } from '../parts/tabs.tsx';
import { useSession } from '../session/session.tsx';
import { BroadcastSettings } from './broadcast-settings.tsx';
import { Budgets } from './budgets.tsx';
import { ProviderKeys } from './provider-keys.tsx';
import { DeliveryLog, WebhookSettings } from './webhook-settings.tsx';

const TABS = [
  ['/settings', 'General'],
  ['/settings/limits', 'Spending limits'],
  ['/settings/webhook', 'Webhook'],
  ['/settings/provider-keys', 'Provider keys'],
  ['/settings/private-logs', 'Private logs'],
  ['/settings/broadcast', 'Broadcast'],
] as const;

/** Everything of the workspace that the switcher shows. */
export function SettingsPage({ part }: { readonly part: string | undefined }) {
  const { api, workspaceId } = useSession();
  const params = { path: { workspace: workspaceId } };
  const workspace = useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}', { params }))).data,
  });
  return (
    <Page title="Settings">
      <PageTabs label="Settings" tabs={TABS} />
      <Loaded query={workspace} what="the workspace" tall>
        {(known) => <Part key={known.id} part={part} workspace={known} />}
      </Loaded>
    </Page>
  );
}

interface PartProps {
  readonly part: string | undefined;
  readonly workspace: Workspace;
}

function Part({ part, workspace }: PartProps) {
  const { id } = workspace;
  if (part === 'limits') {
    return (
      <div class="narrow">
        <Budgets workspaceId={id} />
      </div>
    );
  }
  if (part === 'webhook') {
    return (
      <div class="sections">
        <WebhookSettings workspaceId={id} />
        <DeliveryLog workspaceId={id} />
      </div>
    );
  }
  if (part === 'provider-keys') return <ProviderKeys workspaceId={id} />;
  if (part === 'private-logs') {
    return (
      <div class="narrow">
        <PrivateLogSettings workspace={workspace} />
      </div>
    );
  }
  if (part === 'broadcast') return <BroadcastSettings workspace={workspace} />;
  return (
    <div class="stack narrow">
      <General workspace={workspace} />
      <DeleteWorkspace workspace={workspace} />
    </div>
  );
}

/** What people call it, and what it is for. Its slug stays: programs know it by that. */
function General({ workspace }: { readonly workspace: Workspace }) {
  const { api } = useSession();
  const { id, slug, name, description } = workspace;
  const save = useAction(
    (form: HTMLFormElement) => {
      const body = { name: textIn(form, 'name') ?? '', description: textIn(form, 'description') ?? null };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: id } }, body }));
    },
    ['workspace', 'workspaces'],
  );
  return (
    <Section title="General">
      <ActionForm action={save} submit="Save" done="Settings saved">
        <Field label="Name">
          {(field) => <input {...field} key={name} name="name" required defaultValue={name} />}
        </Field>
        <Field label="Description">
          {(field) => (
            <input {...field} key={description} name="description" defaultValue={description ?? ''} />
          )}
        </Field>
        <Field label="Slug" hint="Identifies the workspace in the API. The console cannot change it.">
          {(field) => <input {...field} value={slug} readOnly />}
        </Field>
      </ActionForm>
    </Section>
  );
}

function DeleteWorkspace({ workspace: { id, name } }: { readonly workspace: Workspace }) {
  const { api, currentKey, chooseWorkspace } = useSession();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const params = { path: { workspace: id } };
  return (
    <Section
      title="Delete workspace"
      about="Deletes this workspace with its videos, files, keys, provider keys, guardrails, private logs and settings. The default workspace cannot be deleted."
    >
      <div class="actions">
        <ConfirmButton
          label="Delete workspace"
          icon={Trash2}
          stale={['workspaces']}
          done={`${name} deleted`}
          typed={name}
          onDone={() => {
            goOn('/workspaces');
            queries.removeQueries({ queryKey: ['workspace'] });
            // Nothing of the deleted one could be shown any more.
            chooseWorkspace(currentKey.workspace_id);
          }}
          act={() => answered(api.DELETE('/workspaces/{workspace}', { params }))}
        >
          <p>
            Permanently deletes <b>{name}</b> with its videos, files, keys, provider keys, guardrails, private
            logs and settings.
          </p>
          <p class="quiet">First delete or disable its keys and wait for its jobs to end.</p>
        </ConfirmButton>
      </div>
    </Section>
  );
}

/** Turns the logging of prompts and results on and off. */
function PrivateLogSettings({ workspace }: { readonly workspace: Workspace }) {
  const { is_observability_io_logging_enabled: isOn, io_logging_sampling_rate: share } = workspace;
  const save = useSaveLogging(workspace);
  return (
    <Section
      title="Private logs"
      about="Genway can keep an encrypted log of each job that a provider accepts: its prompt, its parameters, and metadata of its inputs and results. To read a log, open the page of the video."
    >
      <ActionForm
        action={save}
        submit="Save"
        done="Private log settings saved. They apply to jobs that end from now on."
      >
        <label class="check">
          <input key={String(isOn)} type="checkbox" name="is_on" value="yes" defaultChecked={isOn} />
          <span>Keep private logs</span>
        </label>
        <PercentField label="Sampling rate, %" hint={keysHint(workspace)} name="share" of={share} />
      </ActionForm>
    </Section>
  );
}

function useSaveLogging({ id }: Workspace) {
  const { api } = useSession();
  return useAction(
    (form: HTMLFormElement) => {
      const body = {
        is_observability_io_logging_enabled: textIn(form, 'is_on') !== undefined,
        io_logging_sampling_rate: (numberIn(form, 'share') ?? 100) / 100,
      };
      return answered(api.PATCH('/workspaces/{workspace}', { params: { path: { workspace: id } }, body }));
    },
    ['workspace', 'workspaces'],
  );
}

function keysHint({ io_logging_api_key_ids: keys }: Workspace): string {
  if (keys === null)
    return 'Applies to jobs of all keys. To log only the jobs of certain keys, set io_logging_api_key_ids through the API.';
  if (keys.length === 0)
    return 'No jobs are logged, because io_logging_api_key_ids is empty. To change this, use the API.';
  return `Only jobs of the ${keys.length === 1 ? 'key' : `${keys.length} keys`} in io_logging_api_key_ids are logged. To change this, use the API.`;
}
