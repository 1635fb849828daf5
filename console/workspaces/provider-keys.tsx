import { useQuery } from '@tanstack/preact-query';
import { KeyRound, PlugZap, Plus, Power, Trash2 } from 'lucide-preact';
import { useEffect } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { ProviderKey } from '../api/types.ts';
import { useCatalogue } from '../catalogue/use-catalogue.ts';
import { Confirm } from '../parts/confirm.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { RowMenu } from '../parts/menu.tsx';
import { FailureNote, ResultNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

/** The workspace's own keys of providers. The API shows a label of each, never the key. */
export function ProviderKeys({ workspaceId }: { readonly workspaceId: string }) {
  const { api } = useSession();
  const keys = useQuery({
    queryKey: ['provider-keys', workspaceId],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, limit: 100 };
      return (await answered(api.GET('/byok', { params: { query } }))).data;
    },
  });
  return (
    <Section
      title="Provider keys"
      about="For jobs and files that use a provider key, the provider bills the account of the key."
    >
      <div class="actions">
        <DialogButton label="Add provider key" icon={Plus} kind="primary">
          {(close) => <NewProviderKey workspaceId={workspaceId} onDone={close} />}
        </DialogButton>
      </div>
      <Loaded query={keys} what="provider keys">
        {(known) =>
          known.length === 0 ? (
            <EmptyState icon={KeyRound} title="No provider keys">
              <p>To use your own account at a provider, add a key of that account.</p>
            </EmptyState>
          ) : (
            <ProviderKeyTable keys={known} />
          )
        }
      </Loaded>
    </Section>
  );
}

const COLUMNS = ['Provider', 'Name', 'Key', 'Status', 'Added'];

const ProviderKeyTable = ({ keys }: { readonly keys: readonly ProviderKey[] }) => (
  <Table
    columns={COLUMNS}
    rows={keys.map((key) => ({
      key: key.id,
      cells: [
        key.provider,
        key.name ?? '–',
        <code key="label">{key.label}</code>,
        <StatusBadge key="status" status={key.disabled ? 'disabled' : 'active'} />,
        <When key="added" at={key.created_at} />,
      ],
      menu: <ProviderKeyMenu providerKey={key} />,
    }))}
  />
);

function ProviderKeyMenu({ providerKey }: { readonly providerKey: ProviderKey }) {
  const { id, provider, label, disabled } = providerKey;
  const { api } = useSession();
  const toast = useToast();
  const params = { path: { id } };
  const turn = useAction(
    () => answered(api.PATCH('/byok/{id}', { params, body: { disabled: !disabled } })),
    ['provider-keys'],
    () => toast(disabled ? 'Provider key enabled' : 'Provider key disabled'),
  );
  const remove = (close: () => void) => (
    <Confirm
      label="Delete"
      stale={['provider-keys']}
      done="Provider key deleted"
      onClose={close}
      act={() => answered(api.DELETE('/byok/{id}', { params }))}
    >
      <p>Jobs and file requests that need this key will fail.</p>
    </Confirm>
  );
  return (
    <>
      <RowMenu
        of={`the ${provider} key`}
        items={[
          {
            label: 'Test',
            icon: PlugZap,
            dialog: {
              title: `Test the ${provider} key`,
              children: (close) => <KeyTest id={id} onDone={close} />,
            },
          },
          { label: disabled ? 'Enable' : 'Disable', icon: Power, onSelect: () => turn.mutate(undefined) },
          {
            label: 'Delete',
            icon: Trash2,
            kind: 'danger',
            dialog: { title: `Delete the ${provider} key ${label}?`, children: remove },
          },
        ]}
      />
      <FailureNote error={turn.error} />
    </>
  );
}

interface KeyTestProps {
  readonly id: string;
  readonly onDone: () => void;
}

const OUTCOMES = { accepted: 'Key accepted', rejected: 'Key rejected', unknown: 'No clear result' };

/** Asks at once. What comes of it belongs to the key as it is now, so it goes with the dialog. */
function KeyTest({ id, onDone }: KeyTestProps) {
  const { api } = useSession();
  const test = useAction(() => answered(api.POST('/byok/{id}/test', { params: { path: { id } } })), []);
  useEffect(() => test.mutate(undefined), []);
  const found = test.data?.data;
  return (
    <div class="stack">
      <ResultNote>
        {test.isPending && 'Testing the key …'}
        {found && [OUTCOMES[found.outcome], found.message].filter(Boolean).join(': ')}
      </ResultNote>
      <FailureNote error={test.error} />
      <div class="dialog-actions">
        <button type="button" onClick={onDone}>
          Close
        </button>
      </div>
    </div>
  );
}

/** They take files, and the catalogue has no rows of theirs. */
const PROVIDERS_OF_FILES = ['anthropic', 'openai'];
/** One makes its videos itself, one is called with the deployment’s own role. */
const KEYLESS = new Set(['sandbox', 'bedrock']);

interface NewProviderKeyProps {
  readonly workspaceId: string;
  readonly onDone: () => void;
}

function NewProviderKey({ workspaceId, onDone }: NewProviderKeyProps) {
  const { api } = useSession();
  const { data: offers = [] } = useCatalogue();
  const ofVideos = offers.map(({ provider }) => provider).filter((provider) => !KEYLESS.has(provider));
  const providers = new Set([...PROVIDERS_OF_FILES, ...ofVideos]);
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
    onDone,
  );
  return (
    <ActionForm action={store} submit="Add" done="Provider key added" onCancel={onDone}>
      <Field label="Provider">
        {(field) => (
          <select {...field} name="provider">
            {[...providers].toSorted().map((provider) => (
              <option key={provider}>{provider}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Key" hint="Genway encrypts the key and never shows it again.">
        {(field) => <input {...field} name="key" type="password" autoComplete="off" required />}
      </Field>
      <Field label="Name">{(field) => <input {...field} name="name" />}</Field>
    </ActionForm>
  );
}
