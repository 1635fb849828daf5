import { useQuery } from '@tanstack/preact-query';
import { Pencil, Plus, Trash2 } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Guardrail } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ActionForm, Field, LimitField, listIn, numberIn, ResetField, textIn } from '../parts/form.tsx';
import { usd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { useSession } from '../session/session.tsx';

const COLUMNS = ['Name', 'Models', 'Providers', 'Spending limit', 'Description'];

/** Which models the keys of the chosen workspace may use, and what they may spend together. */
export function GuardrailsPage() {
  const { workspaceId } = useSession();
  const guardrails = useGuardrails(workspaceId);
  const create = (
    <DialogButton label="New guardrail" icon={Plus} kind="primary">
      {(close) => <GuardrailForm onDone={close} />}
    </DialogButton>
  );
  return (
    <Page title="Guardrails" actions={create}>
      <p class="quiet">
        A guardrail limits the models and providers that its keys may use, and how much these keys may spend
        together. Choose the guardrail of a key on the Keys page. A key without one gets the default guardrail
        of the workspace.
      </p>
      <Loaded query={guardrails} what="guardrails">
        {(known) => <Table columns={COLUMNS} rows={known.map(rowOf)} />}
      </Loaded>
    </Page>
  );
}

export function useGuardrails(workspaceId: string) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['guardrails', workspaceId],
    queryFn: async () => {
      const query = { workspace_id: workspaceId, limit: 100 };
      return (await answered(api.GET('/guardrails', { params: { query } }))).data;
    },
  });
}

const RESETS = { daily: ' per day', weekly: ' per week', monthly: ' per month' } as const;

function rowOf(guardrail: Guardrail, place: number): TableRow {
  const { id, name, description, limit_usd: limit, reset_interval: reset } = guardrail;
  const { allowed_models, ignored_models, allowed_providers, ignored_providers } = guardrail;
  return {
    key: id,
    cells: [
      name,
      among(allowed_models, ignored_models),
      among(allowed_providers, ignored_providers),
      limit === null ? 'No limit' : `${usd(limit)}${reset === null ? ' total' : RESETS[reset]}`,
      description ?? '–',
    ],
    // The first is the workspace’s own, which always exists.
    menu: <GuardrailMenu guardrail={guardrail} isOwn={place === 0} />,
  };
}

function among(allowed: readonly string[] | null, ignored: readonly string[] | null): string {
  const only = allowed === null ? 'All' : allowed.join(', ');
  return ignored === null || ignored.length === 0 ? only : `${only} except ${ignored.join(', ')}`;
}

interface GuardrailMenuProps {
  readonly guardrail: Guardrail;
  readonly isOwn: boolean;
}

function GuardrailMenu({ guardrail, isOwn }: GuardrailMenuProps) {
  const { api } = useSession();
  const { id, name } = guardrail;
  const confirm = (close: () => void) => (
    <Confirm
      label="Delete"
      stale={['guardrails']}
      done={`${name} deleted`}
      onClose={close}
      act={() => answered(api.DELETE('/guardrails/{guardrail}', { params: { path: { guardrail: id } } }))}
    >
      <p>
        Deletes <b>{name}</b>, unless a key or the workspace uses it. This cannot be undone.
      </p>
    </Confirm>
  );
  const edit: MenuItem = {
    label: 'Edit',
    icon: Pencil,
    dialog: {
      title: `Edit ${name}`,
      children: (close) => <GuardrailForm of={guardrail} onDone={close} />,
    },
  };
  const remove: MenuItem = {
    label: 'Delete',
    icon: Trash2,
    kind: 'danger',
    dialog: { title: `Delete ${name}?`, children: confirm },
  };
  return <RowMenu of={name} items={isOwn ? [edit] : [edit, remove]} />;
}

const INTERVALS = ['daily', 'weekly', 'monthly'] as const;
const LISTS = [
  ['allowed_models', 'Allowed models', 'Comma-separated. Leave empty for all.'],
  ['ignored_models', 'Blocked models', 'Comma-separated.'],
  ['allowed_providers', 'Allowed providers', 'Comma-separated. Leave empty for all.'],
  ['ignored_providers', 'Blocked providers', 'Comma-separated.'],
] as const;

interface GuardrailFormProps {
  /** The one to change; without it, a new one. */
  readonly of?: Guardrail;
  readonly onDone: () => void;
}

function GuardrailForm({ of: guardrail, onDone }: GuardrailFormProps) {
  const save = useSave(guardrail?.id, onDone);
  return (
    <ActionForm
      action={save}
      submit={guardrail === undefined ? 'Create' : 'Save'}
      done="Guardrail saved"
      onCancel={onDone}
    >
      <Field label="Name">
        {(field) => <input {...field} name="name" required defaultValue={guardrail?.name ?? ''} />}
      </Field>
      <Field label="Description">
        {(field) => <input {...field} name="description" defaultValue={guardrail?.description ?? ''} />}
      </Field>
      <div class="columns">
        {LISTS.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint}>
            {(field) => (
              <input
                {...field}
                name={name}
                spellcheck={false}
                defaultValue={guardrail?.[name]?.join(', ') ?? ''}
              />
            )}
          </Field>
        ))}
        <LimitField label="Spending limit, USD" of={guardrail?.limit_usd} />
        <ResetField of={guardrail?.reset_interval} />
      </div>
    </ActionForm>
  );
}

function useSave(id: string | undefined, onDone: () => void) {
  const { api, workspaceId } = useSession();
  return useAction<HTMLFormElement, unknown>(
    (form) => {
      const body = guardrailIn(form);
      if (id === undefined)
        return answered(api.POST('/guardrails', { body: { ...body, workspace_id: workspaceId } }));
      return answered(api.PATCH('/guardrails/{guardrail}', { params: { path: { guardrail: id } }, body }));
    },
    ['guardrails'],
    onDone,
  );
}

function guardrailIn(form: HTMLFormElement) {
  const reset = textIn(form, 'limit_reset');
  return {
    name: textIn(form, 'name') ?? '',
    description: textIn(form, 'description') ?? null,
    allowed_models: listIn(form, 'allowed_models'),
    ignored_models: listIn(form, 'ignored_models'),
    allowed_providers: listIn(form, 'allowed_providers'),
    ignored_providers: listIn(form, 'ignored_providers'),
    limit_usd: numberIn(form, 'limit') ?? null,
    reset_interval: INTERVALS.find((interval) => interval === reset) ?? null,
  };
}
