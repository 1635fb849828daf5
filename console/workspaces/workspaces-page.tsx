import { Link } from 'wouter-preact';
import { useAction, useSendOnce } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { Workspace } from '../api/types.ts';
import { DialogButton } from '../parts/dialog.tsx';
import { ActionForm, Field, textIn } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page, useGoOn } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { useWorkspaces } from './use-workspaces.ts';

export function WorkspacesPage() {
  const workspaces = useWorkspaces();
  const create = (
    <DialogButton label="New workspace" kind="primary">
      {() => <NewWorkspace />}
    </DialogButton>
  );
  return (
    <Page title="Workspaces" actions={create}>
      <Loaded query={workspaces} what="workspaces">
        {(known) => (
          <Table columns={['Name', 'Slug', 'About', 'Since']}>
            {known.map((workspace) => (
              <WorkspaceRow key={workspace.id} workspace={workspace} />
            ))}
          </Table>
        )}
      </Loaded>
    </Page>
  );
}

function WorkspaceRow({ workspace }: { readonly workspace: Workspace }) {
  const { name, slug, description, created_at } = workspace;
  return (
    <tr>
      <th scope="row" class="name">
        <Link href={`/workspaces/${slug}`}>{name}</Link>
      </th>
      <td>
        <code>{slug}</code>
      </td>
      <td class="name">{description ?? ''}</td>
      <td>
        <When at={created_at} />
      </td>
    </tr>
  );
}

function NewWorkspace() {
  const { api } = useSession();
  const send = useSendOnce();
  const goOn = useGoOn();
  const create = useAction(
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
    ({ data }) => goOn(`/workspaces/${data.slug}`),
  );
  return (
    <ActionForm action={create} submit="Create" kind="primary">
      <Field label="Name">{(field) => <input {...field} name="name" required />}</Field>
      <Field label="Slug" hint="Lower-case letters, digits and hyphens; nobody else here may have it">
        {(field) => <input {...field} name="slug" required spellcheck={false} />}
      </Field>
      <Field label="About">{(field) => <input {...field} name="description" />}</Field>
    </ActionForm>
  );
}
