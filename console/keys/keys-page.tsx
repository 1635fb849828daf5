import { useAction } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Key } from '../api/types.ts';
import { ConfirmButton } from '../parts/action-button.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { usd } from '../parts/format.ts';
import { EmptyState, Loaded } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { LeftBar, StatusBadge, When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { NewKey } from './new-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { useKeys } from './use-keys.ts';

export function KeysPage() {
  const { workspaceId } = useSession();
  const keys = useKeys(workspaceId);
  const create = (
    <DialogButton label="New key" kind="primary">
      {(close) => <NewKey onDone={close} />}
    </DialogButton>
  );
  return (
    <Page title="Keys" actions={create}>
      <p class="quiet">Of the workspace that is chosen above.</p>
      <Loaded query={keys} what="keys">
        {(known) => (known.length === 0 ? <NoKeys /> : <KeyTable keys={known} />)}
      </Loaded>
    </Page>
  );
}

const NoKeys = () => (
  <EmptyState title="No keys yet">
    <p>Make one for each program or person that calls the API.</p>
  </EmptyState>
);

function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  return (
    <Table columns={['Name', 'Key', 'State', 'Limit', 'Used', 'Last call', 'Actions']}>
      {keys.map((key) => (
        <KeyRow key={key.hash} apiKey={key} />
      ))}
    </Table>
  );
}

function KeyRow({ apiKey: key }: { readonly apiKey: Key }) {
  const { limit, limit_remaining: left } = key;
  return (
    <tr>
      <th scope="row" class="name">
        {key.name}
        {key.is_management_key && <small> management</small>}
      </th>
      <td>
        <code>{key.label}</code>
      </td>
      <td>
        <StatusBadge status={key.disabled ? 'disabled' : 'active'} />
      </td>
      <td>
        {limit === null ? (
          'none'
        ) : (
          <>
            <LeftBar name={key.name} used={limit - (left ?? limit)} limit={limit} />
            <small>{key.limit_reset ?? 'in all'}</small>
          </>
        )}
      </td>
      <td>{usd(key.usage)}</td>
      <td>{key.last_used_at === null ? 'never' : <When at={key.last_used_at} />}</td>
      <td class="row-actions">
        <KeyActions apiKey={key} />
      </td>
    </tr>
  );
}

function KeyActions({ apiKey: key }: { readonly apiKey: Key }) {
  const { api, currentKey } = useSession();
  const params = { path: { hash: key.hash } };
  const turn = useAction(
    (disabled: boolean) => answered(api.PATCH('/keys/{hash}', { params, body: { disabled } })),
    ['keys'],
  );
  // No key can lock itself out; the API refuses it too.
  if (key.hash === currentKey.hash) return <span class="quiet">this is yours</span>;
  return (
    <>
      <DialogButton label="Rotate" of={key.name} title={`Rotate ${key.name}`}>
        {(close) => <RotateKey oldKey={key} onDone={close} />}
      </DialogButton>
      <button
        type="button"
        aria-label={`${key.disabled ? 'Enable' : 'Disable'} ${key.name}`}
        disabled={turn.isPending}
        onClick={() => turn.mutate(!key.disabled)}
      >
        {key.disabled ? 'Enable' : 'Disable'}
      </button>
      <ConfirmButton
        label="Delete"
        of={key.name}
        stale={['keys']}
        act={() => answered(api.DELETE('/keys/{hash}', { params }))}
      >
        <p>
          Whoever calls with <b>{key.name}</b> is refused from now on.
        </p>
      </ConfirmButton>
      <FailureNote error={turn.error} />
    </>
  );
}
