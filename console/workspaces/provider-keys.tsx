import { useQuery } from '@tanstack/preact-query';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';

/** The workspace's own keys of providers. The API shows a label of each, never the key. */
export function ProviderKeys({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const { data: keys, error } = useQuery({
    queryKey: ['provider-keys', workspaceId],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, limit: 100 };
      return (await answered(api.GET('/byok', { params: { query } }))).data;
    },
  });
  return (
    <Section title="Provider keys">
      <FailureNote error={error} />
      {keys?.length === 0 && (
        <p class="quiet">None yet. A provider that bills the workspace itself needs its key here.</p>
      )}
      <ul class="plain-list">
        {keys?.map(({ id, provider, label, name, disabled }) => (
          <li key={id} class="chosen">
            <span class="name">
              <b>{provider}</b> {name ?? ''} <code>{label}</code>
              {disabled && ' (disabled)'}
            </span>
            <ConfirmButton
              label="Delete"
              of={`the key of ${provider}`}
              stale={['provider-keys']}
              act={() => answered(api.DELETE('/byok/{id}', { params: { path: { id } } }))}
            >
              <p>Jobs and files of this workspace that need it fail from now on.</p>
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <NewProviderKey workspaceId={workspaceId} />
    </Section>
  );
}

function NewProviderKey({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const store = useAction(
    (fields: HTMLFormElement) => {
      const body = {
        workspace_id: workspaceId,
        provider: textIn(fields, 'provider') ?? '',
        key: textIn(fields, 'key') ?? '',
        name: textIn(fields, 'name') ?? null,
      };
      return answered(api.POST('/byok', { body }));
    },
    ['provider-keys'],
  );
  return (
    <ActionForm action={store} submit="Store the key" done="The key is stored.">
      <div class="columns">
        <Field label="Provider">
          {(field) => <input {...field} name="provider" required placeholder="openai" spellcheck={false} />}
        </Field>
        <Field label="Key">
          {(field) => <input {...field} name="key" type="password" autoComplete="off" required />}
        </Field>
        <Field label="Name">{(field) => <input {...field} name="name" />}</Field>
      </div>
    </ActionForm>
  );
}
