import { useInfiniteQuery } from '@tanstack/preact-query';
import { Check, X } from 'lucide-preact';
import { answered, present } from '../api/client.ts';
import type { Approval } from '../api/types.ts';
import { Confirm } from '../parts/confirm.tsx';
import { MoreButton, NoneFound } from '../parts/loaded.tsx';
import { type MenuItem, RowMenu } from '../parts/menu.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { useKeys, useNames } from './use-keys.ts';

/** The title above the secret of a key that cannot be used yet. */
export const PENDING_KEY = 'New key, waiting for approval';

/** The changes of keys, or of endpoints, that wait for a second key. Nothing where none does. */
export function WaitingChanges({ ofKeys }: { readonly ofKeys: boolean }) {
  const { api } = useSession();
  const nameOf = useNames();
  const list = useInfiniteQuery({
    queryKey: ['approvals'],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) =>
      answered(api.GET('/approvals', { params: { query: present({ cursor }) } })),
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
  const waiting = (list.data?.pages ?? [])
    .flatMap(({ data }) => data)
    .filter(({ action, status }) => status === 'pending' && (action === 'create-key') === ofKeys);
  if (waiting.length === 0 && !list.hasNextPage) return <FailureNote error={list.error} />;
  const rows = waiting.map((approval) => {
    const by = nameOf(approval.asked_by);
    return {
      key: approval.id,
      cells: [titleOf(approval), by, <When key="end" at={approval.ends_at} />],
      menu: <Decision approval={approval} by={by} />,
    };
  });
  return (
    <Section
      title="Waiting for approval"
      about="Each change needs approval with a management key from a different line than the requester’s. A line is a key that no other key created, with its descendants and replacements."
    >
      {rows.length > 0 ? (
        <Table columns={['Change', 'Requested by', 'Expires']} rows={rows} />
      ) : (
        <NoneFound list={list} what="changes" />
      )}
      <MoreButton list={list} />
    </Section>
  );
}

/** A new key is known by the name that it gets. The name of an endpoint is only for people; two may have the same. */
const titleOf = ({ action, target, request }: Approval): string =>
  `${CHANGES[action]} ${action === 'create-key' ? request.name : target}`;

const CHANGES: Readonly<Record<Approval['action'], string>> = {
  'create-key': 'Create key',
  'put-endpoint': 'Create or replace endpoint',
  'update-endpoint': 'Update endpoint',
  'delete-endpoint': 'Delete endpoint',
};

function Decision({ approval, by }: { readonly approval: Approval; readonly by: string }) {
  const { api, currentKey } = useSession();
  const { data: keys = [] } = useKeys();
  // Whoever has a key can give it the name of another; its label never changes.
  const askerLabel = keys.find(({ hash }) => hash === approval.asked_by)?.label ?? approval.asked_by;
  const title = titleOf(approval);
  const item = (label: 'Approve' | 'Refuse', icon: MenuItem['icon'], done: string): MenuItem => ({
    label,
    icon,
    dialog: {
      title: `${label} “${title}”?`,
      children: (close) => (
        <Confirm
          label={label}
          stale={['approvals', 'keys', 'catalogue', 'models']}
          done={`${done}: ${title}`}
          onClose={close}
          act={() => {
            const params = { path: { approval: approval.id } };
            return answered(
              label === 'Approve'
                ? api.POST('/approvals/{approval}/approve', { params })
                : api.POST('/approvals/{approval}/refuse', { params }),
            );
          }}
        >
          <p>
            Requested by <b>{by}</b> (<code>{askerLabel}</code>).
          </p>
          {Object.keys(approval.request).length > 0 && <pre>{JSON.stringify(approval.request, null, 2)}</pre>}
        </Confirm>
      ),
    },
  });
  const refuse = item('Refuse', X, 'Refused');
  // Nobody approves what they asked for; the API refuses it too.
  const isOwn = approval.asked_by === currentKey.hash;
  return <RowMenu of={title} items={isOwn ? [refuse] : [item('Approve', Check, 'Approved'), refuse]} />;
}
