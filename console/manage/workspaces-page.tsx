import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { When } from '../parts/when.tsx';
import { NewWorkspace } from './new-workspace.tsx';
import { useWorkspaces } from './use-workspaces.ts';

export function WorkspacesPage() {
  const { data: workspaces, error } = useWorkspaces();
  const [isNew, setNew] = useState(false);
  const create = (
    <button type="button" class="primary" onClick={() => setNew(true)}>
      New workspace
    </button>
  );
  return (
    <Page title="Workspaces" actions={create}>
      <FailureNote error={error} />
      {workspaces === undefined && error === null && <Loading what="workspaces" />}
      {workspaces !== undefined && (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Slug</th>
                <th scope="col">About</th>
                <th scope="col">Since</th>
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
      )}
      {isNew && <NewWorkspace onClose={() => setNew(false)} />}
    </Page>
  );
}
