import type { Key } from '../api/types.ts';
import { usd } from '../parts/format.ts';
import { LeftBar } from '../parts/left-bar.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/when.tsx';
import { KeyActions } from './key-actions.tsx';

export function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
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
