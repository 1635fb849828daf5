import { Link } from 'wouter-preact';
import { DialogButton } from '../parts/dialog-button.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { When } from '../parts/when.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import { useWorkspaces } from './use-workspaces.ts';

export function WorkspacesPage() {
  const { data: workspaces, error } = useWorkspaces();
  const create = (
    <DialogButton label="New workspace" kind="primary">
      {() => <NewWorkspace />}
    </DialogButton>
  );
  return (
    <Page title="Workspaces" actions={create}>
      <FailureNote error={error} />
      {workspaces === undefined && error === null && <Loading what="workspaces" />}
      {workspaces !== undefined && (
        <Table columns={['Name', 'Slug', 'About', 'Since']}>
          {workspaces.map(({ id, name, slug, description, created_at }) => (
            <tr key={id}>
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
          ))}
        </Table>
      )}
    </Page>
  );
}
