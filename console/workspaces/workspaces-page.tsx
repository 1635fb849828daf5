import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useAction, useSendOnce } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, useGoOn } from '../parts/page.tsx';
import { Table, type TableRow } from '../parts/table.tsx';
import { useToast } from '../parts/toast.tsx';
import { When } from '../parts/values.tsx';
import { useSession, useWorkspaces } from '../session/session.tsx';

export function WorkspacesPage() {
  const workspaces = useWorkspaces();
  const create = (
    <DialogButton label="New workspace" icon={Plus} kind="primary">
      {(close) => <NewWorkspace onCancel={close} />}
    </DialogButton>
  );
  return (
    <Page title="Workspaces" actions={create}>
      <Loaded query={workspaces} what="workspaces">
        {(known) => <Table columns={['Name', 'Slug', 'Description', 'Created']} rows={known.map(rowOf)} />}
      </Loaded>
    </Page>
  );
}

function rowOf({ id, name, slug, description, created_at }: Workspace): TableRow {
  const link = (
    <Link key="link" href={`/workspaces/${slug}`}>
      {name}
    </Link>
  );
  return {
    key: id,
    cells: [link, <code key="slug">{slug}</code>, description ?? '–', <When key="created" at={created_at} />],
  };
}

/** What a name is in an address, until somebody writes another. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function NewWorkspace({ onCancel }: { readonly onCancel: () => void }) {
  const create = useCreateWorkspace();
  const [slug, setSlug] = useState<string>();
  const [name, setName] = useState('');
  return (
    <ActionForm action={create} submit="Create" onCancel={onCancel}>
      <Field label="Name">
        {(field) => (
          <input
            {...field}
            name="name"
            required
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Slug" hint="Identifies the workspace in the API. Lowercase letters, digits and hyphens.">
        {(field) => (
          <input
            {...field}
            name="slug"
            required
            spellcheck={false}
            value={slug ?? slugOf(name)}
            onInput={({ currentTarget }) => setSlug(currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Description">{(field) => <input {...field} name="description" />}</Field>
    </ActionForm>
  );
}

/** The new one is the chosen one. */
function useCreateWorkspace() {
  const { api, chooseWorkspace } = useSession();
  const send = useSendOnce();
  const goOn = useGoOn();
  const toast = useToast();
  return useAction(
    (form: HTMLFormElement) => {
      const body = {
        name: textIn(form, 'name') ?? '',
        slug: textIn(form, 'slug') ?? '',
        description: textIn(form, 'description') ?? null,
      };
      return send(body, (key) =>
        answered(api.POST('/workspaces', { params: { header: { 'Idempotency-Key': key } }, body })),
      );
    },
    ['workspaces'],
    ({ data: { id, name } }) => {
      chooseWorkspace(id);
      toast(`${name} created`);
      goOn('/settings');
    },
  );
}
