import { useInfiniteQuery } from '@tanstack/preact-query';
import { ScrollText } from 'lucide-preact';
import { answered, present } from '../api/client.ts';
import type { AuditEvent } from '../api/types.ts';
import { useKeys } from '../keys/use-keys.ts';
import { useFilters } from '../parts/address.ts';
import { Field } from '../parts/form.tsx';
import { words } from '../parts/format.ts';
import { EmptyState, Loaded, MoreButton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

const COLUMNS = ['Time', 'Action', 'Target', 'Changes', 'Key', 'Result'];

/** Who changed what with a management key, newest first. */
export function AuditPage() {
  const [{ since }, change] = useFilters('since');
  const list = useAudit(since);
  const { data: keys = [] } = useKeys();
  const names = new Map(keys.map(({ hash, name }) => [hash, name] as const));
  return (
    <Page title="Audit">
      <p class="quiet">Changes and reads with management keys. Events are kept for 400 days.</p>
      <div class="filters">
        <Field label="Since">
          {(field) => (
            <input
              {...field}
              type="date"
              value={since ?? ''}
              onChange={({ currentTarget }) => change({ since: currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Loaded query={list} what="events">
        {({ pages }) => {
          const events = pages.flatMap(({ data }) => data);
          if (events.length > 0)
            return (
              <Table
                columns={COLUMNS}
                label="Audit events"
                rows={events.map((event) => rowOf(event, names.get(event.key_hash)))}
              />
            );
          return (
            <EmptyState icon={ScrollText} title="No events">
              <p>Choose an earlier date.</p>
            </EmptyState>
          );
        }}
      </Loaded>
      <MoreButton list={list} />
    </Page>
  );
}

function useAudit(since: string | undefined) {
  const { api } = useSession();
  return useInfiniteQuery({
    queryKey: ['audit', since],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const from = since === undefined ? undefined : `${since}T00:00:00.000Z`;
      return answered(api.GET('/audit', { params: { query: { ...present({ since: from, cursor }) } } }));
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

/** A hash is told from others by its beginning. */
const shortened = (value: string): string => (/^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 8)}…` : value);

/** Of what is new, only that which is set: most fields of a new object are not. */
const changesOf = ({ changes = [] }: AuditEvent): string =>
  changes
    .filter(({ from, to }) => from !== null || !isUnset(to))
    .map(({ field, from, to }) =>
      from === null
        ? `${field}: ${inShort(to)}`
        : `${field}: ${inShort(from)} → ${isUnset(to) ? 'unset' : inShort(to)}`,
    )
    .join(', ');

/** Values are JSON; an object whose members are all null is a default. */
const isUnset = (json: string | null): boolean =>
  json === null || /^(null|false|\{("\w+":null,?)*\})$/.test(json);

const inShort = (json: string | null): string => shortened((json ?? '–').replace(/^"(.*)"$/, '$1'));

function rowOf(event: AuditEvent, keyName: string | undefined): TableRow {
  const { at, action, target, fields, key_hash, session_hash, request_id, status } = event;
  return {
    key: request_id,
    cells: [
      <When key="at" at={at} />,
      words(action.replaceAll('-', ' ')),
      <span key="target" class="name">
        {Object.entries(target)
          .map(([name, value]) => `${name}: ${shortened(value)}`)
          .join(', ') || '–'}
      </span>,
      <span key="changes" class="name">
        {changesOf(event) || fields.join(', ') || '–'}
      </span>,
      <span key="by" title={session_hash === null ? 'By its key' : `In the session ${session_hash}`}>
        {keyName ?? `${key_hash.slice(0, 8)}…`}
      </span>,
      <span key="status" class={status !== null && status < 400 ? 'badge active' : 'badge failed'}>
        {status ?? 'Unknown'}
      </span>,
    ],
  };
}
