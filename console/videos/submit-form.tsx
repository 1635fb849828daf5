import { useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { answered, inWords } from '../api/client.ts';
import type { VideoModel, VideoRequest } from '../api/types.ts';
import { usd } from '../parts/format.ts';
import { FailureNote } from '../parts/notes.tsx';
import { Shortcut } from '../parts/values.tsx';
import { useSession } from '../session/session.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { changed, type Draft, type DraftChange, fitted, requestOf } from './draft.ts';
import { estimateBody } from './estimate.ts';
import { FrameFields, type Pasted, ReferenceFields, SourceField, slotOf } from './input-fields.tsx';
import { DeliveryFields, PictureFields, PromptFields } from './request-fields.tsx';
import { useSubmit } from './use-jobs.ts';

interface SubmitFormProps {
  readonly models: readonly VideoModel[];
  readonly draft: Draft;
  /** The model to begin with; another one where it is gone. */
  readonly model: string | undefined;
  readonly onSubmitted: (jobId: string) => void;
}

interface Form {
  readonly model: VideoModel;
  readonly draft: Draft;
}

/** Shows only what the chosen model can do. */
export function SubmitForm({ models, onSubmitted, ...first }: SubmitFormProps) {
  // Together: an upload that ends after another model was chosen must fit that one.
  const [form, setForm] = useState(() => startOf(models, first));
  const [pasted, setPasted] = useState<Pasted>();
  // The fields have taken it by now. Otherwise the next empty one would take it too.
  useEffect(() => setPasted(undefined), [pasted]);
  const submit = useSubmit(onSubmitted);
  const request = useMemo(
    () => (form === undefined ? undefined : readRequest(form.draft, form.model)),
    [form],
  );
  if (form === undefined || request === undefined) return null;
  const { model, draft } = form;
  const change = (made: DraftChange) =>
    setForm((now) => now && { ...now, draft: changed(now.draft, made, now.model) });
  const choose = (chosen: VideoModel) =>
    setForm((now) => now && { model: chosen, draft: fitted(now.draft, chosen) });
  const parts = { model, draft, onChange: change };
  const inputs = { ...parts, pasted };
  const takesReferences = draft.continuation === '' && model.supported_input_references.length > 0;
  return (
    <form
      class="card submit-form"
      onPaste={(event) => {
        const [file] = event.clipboardData?.files ?? [];
        if (file === undefined || draft.continuation !== '') return;
        event.preventDefault();
        setPasted({ file, slot: slotOf(file, model, draft, isReference(event.target)) });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!(request instanceof Error) && !submit.isPending) submit.mutate(request);
      }}
    >
      <PromptFields {...parts} models={models} onModel={choose} />
      <SourceField {...parts} />
      {draft.continuation === '' && <FrameFields {...inputs} />}
      <PictureFields {...parts} />
      {takesReferences && (
        <details class="references" open={draft.references.length > 0}>
          <summary>References</summary>
          <ReferenceFields {...inputs} />
        </details>
      )}
      <DeliveryFields {...parts} />
      {!(request instanceof Error) && (
        <details>
          <summary>Code</summary>
          <CodeTabs body={request} />
        </details>
      )}
      <div class="submit-row">
        <FailureNote error={submit.error} />
        <Estimate request={request} model={model} />
        <button class="primary" type="submit" disabled={submit.isPending || request instanceof Error}>
          {submit.isPending ? 'Submitting …' : 'Create video'} <Shortcut name="↵" />
        </button>
      </div>
    </form>
  );
}

/** Whoever pastes beside the references means one. */
const isReference = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.references') !== null;

function startOf(
  models: readonly VideoModel[],
  { draft, model: id }: Pick<SubmitFormProps, 'draft' | 'model'>,
): Form | undefined {
  const takesFrame = ({ supported_frame_images: frames }: VideoModel) => frames.includes('first_frame');
  const model =
    models.find((each) => each.id === id) ??
    (draft.frames.first_frame && models.find(takesFrame)) ??
    models[0];
  return model && { model, draft: fitted(draft, model) };
}

function readRequest(draft: Draft, model: VideoModel): VideoRequest | SyntaxError {
  try {
    return requestOf(draft, model);
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
}

const PAUSE_MILLISECONDS = 400;
const UNKNOWN = { data: undefined, error: null };

interface EstimateProps {
  readonly request: VideoRequest | SyntaxError;
  readonly model: VideoModel;
}

/** What a submit would hold, as the form changes. The API makes every check of a submit for it. */
function Estimate({ request, model }: EstimateProps) {
  const { api, scope, workspaceId } = useSession();
  const wanted = request instanceof Error ? undefined : JSON.stringify(estimateBody(request, model));
  const asked = useSettled(wanted);
  const estimate = useQuery({
    queryKey: ['estimate', workspaceId, asked],
    enabled: asked !== undefined,
    retry: false,
    queryFn: () => {
      const body: VideoRequest = JSON.parse(asked ?? '');
      return answered(api.POST('/videos/estimate', { params: { query: scope }, body }));
    },
  });
  // The price of what the form held before is nobody's offer.
  const { data, error } = asked === wanted ? estimate : UNKNOWN;
  return (
    <output class="estimate" aria-live="polite">
      {request instanceof Error ? (
        <span class="failure">Provider options are not valid JSON: {request.message}</span>
      ) : error !== null ? (
        <span class="failure">{inWords(error)}</span>
      ) : data === undefined ? (
        'Estimating …'
      ) : (
        <>
          Up to <strong>{usd(data.max_cost)}</strong>
          {data.remaining !== null && <span class="quiet"> · {usd(data.remaining)} remaining</span>}
          {!data.fits && <span class="failure"> Exceeds the remaining amount.</span>}
        </>
      )}
    </output>
  );
}

/** The value once it has stayed the same for a while. */
function useSettled(value: string | undefined): string | undefined {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
