import { useInfiniteQuery } from '@tanstack/preact-query';
import { ScrollText } from 'lucide-preact';
import { useId } from 'preact/hooks';
import { answered, present } from '../api/client.ts';
import type { AuditEvent } from '../api/types.ts';
import { useNames } from '../keys/use-keys.ts';
import { useFilters } from '../parts/address.ts';
import { Field } from '../parts/form.tsx';
import { dateTime, words } from '../parts/format.ts';
import { EmptyState, Loaded, MoreButton, NoneFound } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';

const COLUMNS = ['Time', 'Action', 'Target', 'Changes', 'Key', 'Result'];

/** Who changed what with a management key, newest first. */
export function AuditPage() {
  const id = useId();
  const [{ since, action }, change] = useFilters('since', 'action');
  const list = useAudit(since, action);
  const nameOf = useNames();
  const known = new Set(list.data?.pages.flatMap(({ data }) => data.map((event) => event.action)));
  return (
    <Page title="Audit">
      <p class="quiet">
        Sign-ins with a management key or through the identity provider, and requests that use a management
        key to change, test or reveal something, to read the content of files, videos or logs, or to get links
        to videos. Genway keeps events for 400 days.
      </p>
      <div class="filters">
        <Field label="Since (UTC)" hint="Default: 30 days ago.">
          {(field) => (
            <input
              {...field}
              type="date"
              value={since ?? ''}
              onChange={({ currentTarget }) => change({ since: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Action">
          {(field) => (
            <input
              {...field}
              type="search"
              list={id}
              placeholder="create-key"
              value={action ?? ''}
              onChange={({ currentTarget }) => change({ action: operationOf(currentTarget.value) })}
            />
          )}
        </Field>
        <datalist id={id}>
          {[...known].toSorted().map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      </div>
      <Loaded query={list} what="events">
        {({ pages }) => {
          const events = pages.flatMap(({ data }) => data);
          if (events.length > 0)
            return (
              <Table
                columns={COLUMNS}
                label="Audit events"
                rows={events.map((event) => rowOf(event, nameOf))}
              />
            );
          return (
            <NoneFound list={list} what="events">
              <EmptyState icon={ScrollText} title="No events">
                <p>Choose an earlier date, or another action.</p>
              </EmptyState>
            </NoneFound>
          );
        }}
      </Loaded>
      <MoreButton list={list} />
    </Page>
  );
}

/** Rows show an operation's name with spaces, and people type what they see. */
const operationOf = (typed: string): string => typed.trim().toLowerCase().replaceAll(' ', '-');

/** @param since a date @param action the name of an operation */
export function useAudit(since?: string, action?: string) {
  const { api } = useSession();
  return useInfiniteQuery({
    queryKey: ['audit', since, action],
    initialPageParam: undefined,
    queryFn: ({ pageParam: cursor }: { pageParam: string | undefined }) => {
      const from = since === undefined ? undefined : `${since}T00:00:00.000Z`;
      return answered(api.GET('/audit', { params: { query: present({ since: from, action, cursor }) } }));
    },
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  });
}

type NameOf = (id: string) => string;

/** A hash or a UUID that has no name is told from others by its beginning. */
function named(value: string, nameOf: NameOf): string {
  const name = nameOf(value);
  return name === value && /^[0-9a-f]{8}[0-9a-f-]{28,}$/.test(value) ? `${value.slice(0, 8)}…` : name;
}

/** Of what is new, only that which is set: most fields of a new object are not. */
const changesOf = ({ changes = [] }: AuditEvent, nameOf: NameOf): string =>
  changes
    .filter(({ from, to }) => from !== null || !isUnset(to))
    .map(({ field, from, to }) =>
      from === null
        ? `${field}: ${inShort(to, nameOf)}`
        : `${field}: ${inShort(from, nameOf)} → ${isUnset(to) ? 'unset' : inShort(to, nameOf)}`,
    )
    .join(', ');

/** Values are JSON; an object whose members are all null is a default. */
const isUnset = (json: string | null): boolean =>
  json === null || /^(null|false|\{("\w+":null,?)*\})$/.test(json);

const inShort = (json: string | null, nameOf: NameOf): string =>
  named((json ?? '–').replace(/^"(.*)"$/, '$1').replace(/^[\d-]{10}T[\d:.]+Z$/, dateTime), nameOf);

/** Of a whole object they would fill the page. */
const MOST_SHOWN = 200;

function Changes({ text }: { readonly text: string }) {
  if (text.length <= MOST_SHOWN) return <span class="name">{text}</span>;
  return (
    <details class="name">
      <summary>{text.slice(0, MOST_SHOWN / 4)} …</summary>
      {text}
    </details>
  );
}

function rowOf(event: AuditEvent, nameOf: NameOf): TableRow {
  const { at, action, target, fields, key_hash, session_hash, request_id, status } = event;
  return {
    key: request_id,
    cells: [
      <When key="at" at={at} />,
      <span key="action" class="one-line">
        {words(action.replaceAll('-', ' '))}
      </span>,
      <span key="target" class="target" title={Object.values(target).join(', ')}>
        {Object.entries(target)
          .map(([name, value]) => `${name.replace(/_id$/, '')}: ${named(value, nameOf)}`)
          .join(', ') || '–'}
      </span>,
      <Changes key="changes" text={changesOf(event, nameOf) || fields.join(', ') || '–'} />,
      <span
        key="by"
        class="one-line"
        title={session_hash === null ? 'No session' : `Session ${session_hash}`}
      >
        {named(key_hash, nameOf)}
      </span>,
      <span key="status" class={status !== null && status < 400 ? 'badge active' : 'badge failed'}>
        {status ?? 'Unknown'}
      </span>,
    ],
  };
}
