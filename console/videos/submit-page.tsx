import { Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { NoModels } from './no-models.tsx';
import { SubmitForm } from './submit-form.tsx';
import { useModels } from './use-models.ts';

export function SubmitPage() {
  const models = useModels();
  return (
    <Page title="New video">
      <Loaded query={models} what="models">
        {(known) =>
          known[0] === undefined ? (
            <NoModels title="No model can be used here" />
          ) : (
            <SubmitForm models={known} first={known[0]} />
          )
        }
      </Loaded>
    </Page>
  );
}
