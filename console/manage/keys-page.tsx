import { useState } from 'preact/hooks';
import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session/session.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { useKeys } from './use-keys.ts';

export function KeysPage() {
  const { workspaceId } = useSession();
  const { data: keys, error } = useKeys(workspaceId);
  const [isNew, setNew] = useState(false);
  const create = (
    <button type="button" class="primary" onClick={() => setNew(true)}>
      New key
    </button>
  );
  return (
    <Page title="Keys" actions={create}>
      <p class="quiet">Of the workspace that is chosen above.</p>
      <FailureNote error={error} />
      {keys === undefined && error === null && <Loading what="keys" />}
      {keys?.length === 0 && (
        <EmptyState title="No keys yet">
          <p>Make one for each program or person that calls the API.</p>
        </EmptyState>
      )}
      {keys !== undefined && keys.length > 0 && <KeyTable keys={keys} />}
      {isNew && <NewKey onClose={() => setNew(false)} />}
    </Page>
  );
}
