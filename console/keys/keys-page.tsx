import { Key as KeyIcon, Pencil, Plus, Power, RotateCw, Trash2 } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { usd } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { LimitBar, StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { EditKey, NewKey, RotateKey } from './key-forms.tsx';
import { useKeys } from './use-keys.ts';
import { WaitingChanges } from './waiting-changes.tsx';

const COLUMNS = ['Name', 'Key', 'Status', 'Limit', 'Used', 'Expires', 'Last used'];

export function KeysPage() {
  const { workspaceId } = useSession();
  const keys = useKeys(workspaceId);
  const create = (
    <DialogButton label="New key" icon={Plus} kind="primary">
      {(close) => <NewKey onDone={close} />}
    </DialogButton>
  );
  return (
    <Page title="Keys" actions={create}>
      <WaitingChanges ofKeys />
      <Loaded query={keys} what="keys">
        {(known) =>
          known.length === 0 ? (
            <NoKeys />
          ) : (
            <Table columns={COLUMNS} amounts={['Used']} rows={known.map(rowOf)} />
          )
        }
      </Loaded>
    </Page>
  );
}

const NoKeys = () => (
  <EmptyState icon={KeyIcon} title="No keys in this workspace">
    <p>Create one key for each program or person that calls the API.</p>
  </EmptyState>
);

const RESETS = { daily: 'per day', weekly: 'per week', monthly: 'per month' } as const;

function statusOf({ disabled, expires_at: end }: Key, now: Date): string {
  if (disabled) return 'disabled';
  return end !== null && Date.parse(end) <= now.getTime() ? 'expired' : 'active';
}

function rowOf(key: Key): TableRow {
  const { limit, limit_remaining: left, limit_reset: reset, expires_at: end } = key;
  return {
    key: key.hash,
    cells: [
      <KeyName key="name" apiKey={key} />,
      <code key="label">{key.label}</code>,
      <StatusBadge key="status" status={statusOf(key, new Date())} />,
      limit === null ? (
        'No limit'
      ) : (
        <LimitBar
          key="limit"
          name={key.name}
          used={limit - (left ?? limit)}
          limit={limit}
          per={reset === null ? undefined : RESETS[reset]}
        />
      ),
      usd(key.usage),
      end === null ? 'Never' : <When key="end" at={end} />,
      key.last_used_at === null ? 'Never' : <When key="used" at={key.last_used_at} />,
    ],
    menu: <KeyMenu apiKey={key} />,
  };
}

function KeyName({ apiKey: { hash, name, is_management_key } }: { readonly apiKey: Key }) {
  const { currentKey } = useSession();
  return (
    <span>
      {name} {is_management_key && <span class="badge">Management</span>}{' '}
      {hash === currentKey.hash && <span class="badge">Current key</span>}
    </span>
  );
}

function KeyMenu({ apiKey: key }: { readonly apiKey: Key }) {
  const { api, currentKey } = useSession();
  const toast = useToast();
  const params = { path: { hash: key.hash } };
  const turn = useAction(
    () => answered(api.PATCH('/keys/{hash}', { params, body: { disabled: !key.disabled } })),
    ['keys'],
    () => toast(`${key.name} ${key.disabled ? 'enabled' : 'disabled'}`),
  );
  const remove = (close: () => void) => (
    <Confirm
      label="Delete"
      stale={['keys']}
      done={`${key.name} deleted`}
      onClose={close}
      act={() => answered(api.DELETE('/keys/{hash}', { params }))}
    >
      <p>
        Deletes <b>{key.name}</b> and ends its jobs that no provider has accepted yet. This cannot be undone.
      </p>
    </Confirm>
  );
  const edit: MenuItem = {
    label: 'Edit',
    icon: Pencil,
    dialog: {
      title: `Edit ${key.name}`,
      children: (close) => <EditKey apiKey={key} onDone={close} />,
    },
  };
  const others: readonly MenuItem[] = [
    {
      label: 'Rotate',
      icon: RotateCw,
      dialog: {
        title: `Rotate ${key.name}`,
        children: (close) => <RotateKey oldKey={key} onDone={close} />,
      },
    },
    {
      label: key.disabled ? 'Enable' : 'Disable',
      icon: Power,
      onSelect: () => turn.mutate(undefined),
    },
    {
      label: 'Delete',
      icon: Trash2,
      kind: 'danger',
      dialog: { title: `Delete ${key.name}?`, children: remove },
    },
  ];
  // No key can lock itself out; the API refuses it too.
  const items = key.hash === currentKey.hash ? [edit] : [edit, ...others];
  return (
    <>
      <RowMenu of={key.name} items={items} />
      <FailureNote error={turn.error} />
    </>
  );
}
