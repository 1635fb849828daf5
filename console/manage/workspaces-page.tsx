import { Link } from 'wouter-preact';
import type { Workspace } from '../api/types.ts';
import { DialogButton } from '../parts/dialog-button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/when.tsx';
import { NewWorkspace } from './new-workspace.tsx';
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
