import { DialogButton } from '../parts/dialog-button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { useSession } from '../session/session.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { useKeys } from './use-keys.ts';

export function KeysPage() {
  const { workspaceId } = useSession();
  const keys = useKeys(workspaceId);
  const create = (
    <DialogButton label="New key" kind="primary">
      {(close) => <NewKey onDone={close} />}
    </DialogButton>
  );
  return (
    <Page title="Keys" actions={create}>
      <p class="quiet">Of the workspace that is chosen above.</p>
      <Loaded query={keys} what="keys">
        {(known) => (known.length === 0 ? <NoKeys /> : <KeyTable keys={known} />)}
      </Loaded>
    </Page>
  );
}

const NoKeys = () => (
  <EmptyState title="No keys yet">
    <p>Make one for each program or person that calls the API.</p>
  </EmptyState>
);
