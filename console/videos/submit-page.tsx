import { EmptyState } from '../parts/empty-state.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { Loading } from '../parts/loading.tsx';
import { Page } from '../parts/page.tsx';
import { SubmitForm } from './submit-form.tsx';
import { useModels } from './use-models.ts';

export function SubmitPage() {
  const { data: models, error } = useModels();
  return (
    <Page title="New video">
      <FailureNote error={error} />
      {models === undefined && error === null && <Loading what="models" />}
      {models?.length === 0 && (
        <EmptyState title="No model can be used here">
          <p>
            The deployer names providers in <code>videos</code> of{' '}
            <code>config/stages/&lt;stage&gt;.json</code>.
          </p>
        </EmptyState>
      )}
      {models?.[0] !== undefined && <SubmitForm models={models} first={models[0]} />}
    </Page>
  );
}
