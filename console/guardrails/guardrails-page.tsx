import { useQuery } from '@tanstack/preact-query';
import { Pencil, Plus, Trash2 } from 'lucide-preact';
import { answered } from '../api/client.ts';
import type { Guardrail } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { usd } from '../parts/format.ts';
import { Loaded } from '../parts/loaded.tsx';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { useSession } from '../session/session.tsx';
import { GuardrailForm } from './guardrail-form.tsx';

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
