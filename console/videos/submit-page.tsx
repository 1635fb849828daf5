import { useMemo, useState } from 'preact/hooks';
import { useAction, useSendOnce } from '../api/action.ts';
import { answered } from '../api/client.ts';
import type { VideoModel, VideoRequest } from '../api/types.ts';
import { Loaded } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { Page, useGoOn } from '../parts/page.tsx';
import { useSession } from '../session/session.tsx';
import { changed, type Draft, type DraftChange, draftFrom, EMPTY_DRAFT, fitted, requestOf } from './draft.ts';
import { Estimate } from './estimate.tsx';
import { FrameFields, ReferenceFields, SourceField } from './input-fields.tsx';
import { NoModels, useModels } from './models.tsx';
import { DeliveryFields, PictureFields, PromptFields } from './request-fields.tsx';
import { keepRequest } from './sent-requests.ts';

/** @param from the video that the new one goes on with */
export function SubmitPage({ from }: { readonly from?: string }) {
  const models = useModels();
  return (
    <Page title="New video">
      <Loaded query={models} what="models">
        {(known) =>
          known[0] === undefined ? (
            <NoModels title="No model can be used here" />
          ) : (
            <SubmitForm models={known} start={startOf(known, known[0], from)} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface Form {
  readonly model: VideoModel;
  readonly draft: Draft;
}

function startOf(models: readonly VideoModel[], first: VideoModel, from: string | undefined): Form {
  const draft = from === undefined ? EMPTY_DRAFT : draftFrom(from);
  const takesFrame = models.find(({ supported_frame_images: frames }) => frames.includes('first_frame'));
  const model = from === undefined ? first : (takesFrame ?? first);
  return { model, draft: fitted(draft, model) };
}

interface SubmitFormProps {
  readonly models: readonly VideoModel[];
  readonly start: Form;
}

/** Shows only what the chosen model can do. */
function SubmitForm({ models, start }: SubmitFormProps) {
  // Together: an upload that ends after another model was chosen must fit that one.
  const [{ model, draft }, setForm] = useState(start);
  const change = (made: DraftChange) =>
    setForm((now) => ({ ...now, draft: changed(now.draft, made, now.model) }));
  const choose = (chosen: VideoModel) =>
    setForm((now) => ({ model: chosen, draft: fitted(now.draft, chosen) }));
  const request = useMemo(() => readRequest(draft, model), [draft, model]);
  const submit = useSubmit();
  const parts = { model, draft, onChange: change };
  return (
    <form
      class="submit-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!(request instanceof Error)) submit.mutate(request);
      }}
    >
      <div class="card stack">
        <PromptFields {...parts} models={models} onModel={choose} />
        <PictureFields {...parts} />
      </div>
      <div class="stack">
        <SourceField {...parts} />
        {draft.continuation === '' && (
          <>
            <FrameFields {...parts} />
            <ReferenceFields {...parts} />
          </>
        )}
        <DeliveryFields {...parts} />
      </div>
      <div class="card stack submit-row">
        <Estimate request={request} />
        <FailureNote error={submit.error} />
        <button class="primary" type="submit" disabled={submit.isPending || request instanceof Error}>
          {submit.isPending ? 'Submitting …' : 'Submit'}
        </button>
      </div>
    </form>
  );
}

function readRequest(draft: Draft, model: VideoModel): VideoRequest | SyntaxError {
  try {
    return requestOf(draft, model);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

function useSubmit() {
  const { api, scope, workspaceId } = useSession();
  const goOn = useGoOn();
  const send = useSendOnce();
  return useAction(
    async (request: VideoRequest): Promise<{ id: string; of: string }> => {
      const job = await send([scope, request], (key) => {
        const params = { query: scope, header: { 'Idempotency-Key': key } };
        return answered(api.POST('/videos', { params, body: request }));
      });
      keepRequest(job.id, request);
      return { id: job.id, of: workspaceId };
    },
    ['jobs'],
    ({ id, of }) => {
      // In another one, which was chosen meanwhile, there is no such video.
      if (of === workspaceId) goOn(`/videos/${id}`);
    },
  );
}
