import type { VideoModel } from '../api/types.ts';
import { Field, SelectField } from '../parts/form.tsx';
import { seconds, usd } from '../parts/format.ts';
import { choicesOf, type DraftProps } from './draft.ts';
import { endingOf } from './model-end.ts';

interface PromptFieldsProps extends DraftProps {
  readonly models: readonly VideoModel[];
  readonly onModel: (model: VideoModel) => void;
}

export function PromptFields({ model, models, onModel, draft, onChange }: PromptFieldsProps) {
  const price = Number(model.pricing_skus.duration_seconds ?? 0);
  return (
    <>
      <SelectField
        label="Model"
        hint={`${model.description} From ${usd(price)} a second.`}
        value={model.id}
        choices={models.map(({ id, name }) => [id, name] as const)}
        onChange={(chosen) => onModel(models.find(({ id }) => id === chosen) ?? model)}
      />
      <EndingNote model={model} />
      <Field label="Prompt">
        {(field) => (
          <textarea
            {...field}
            required
            maxLength={model.prompt_limit}
            rows={5}
            placeholder="A red fox in fresh snow, at dawn"
            value={draft.prompt}
            onInput={({ currentTarget }) => onChange({ prompt: currentTarget.value })}
          />
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.keepsPrompt}
          onChange={({ currentTarget }) => onChange({ keepsPrompt: currentTarget.checked })}
        />
        <span>Keep the prompt with the job, as its note “prompt”: lists and webhooks show it then.</span>
      </label>
    </>
  );
}

/** Warns of a model that soon no vendor runs. */
function EndingNote({ model }: { readonly model: VideoModel }) {
  const ending = endingOf(model, new Date());
  return ending === undefined ? null : <p class="warning">{ending}</p>;
}

/** What the model takes by itself. */
const ITS_OWN = ['', 'the model’s own'] as const;
const SOUNDS = { true: ['true', 'with sound'], false: ['false', 'silent'] } as const;
const same = (value: string) => [value, value] as const;

export function PictureFields({ model, draft, onChange }: DraftProps) {
  const { resolutions, durations, aspectRatios, audio } = choicesOf(model, draft);
  return (
    <div class="columns">
      {durations.length > 0 && (
        <SelectField
          label="Length"
          value={draft.duration}
          choices={[ITS_OWN, ...durations.map((length) => [String(length), seconds(length)] as const)]}
          onChange={(duration) => onChange({ duration })}
        />
      )}
      {resolutions.length > 0 && (
        <SelectField
          label="Resolution"
          value={draft.resolution}
          choices={[ITS_OWN, ...resolutions.map(same)]}
          onChange={(resolution) => onChange({ resolution })}
        />
      )}
      {aspectRatios.length > 0 && (
        <SelectField
          label="Aspect ratio"
          value={draft.aspectRatio}
          choices={[ITS_OWN, ...aspectRatios.map(same)]}
          onChange={(aspectRatio) => onChange({ aspectRatio })}
        />
      )}
      {audio.length > 0 && (
        <SelectField
          label="Sound"
          value={draft.audio}
          choices={[ITS_OWN, ...audio.map((sound) => SOUNDS[sound ? 'true' : 'false'])]}
          onChange={(audio) => onChange({ audio })}
        />
      )}
      {model.seed && <SeedField draft={draft} onChange={onChange} />}
    </div>
  );
}

const SeedField = ({ draft, onChange }: Omit<DraftProps, 'model'>) => (
  <Field label="Seed">
    {(field) => (
      <input
        {...field}
        type="number"
        step={1}
        placeholder="any"
        value={draft.seed}
        onInput={({ currentTarget }) => onChange({ seed: currentTarget.value })}
      />
    )}
  </Field>
);

/** What few need: where to be told of the end, and what only this provider knows. */
export function DeliveryFields({ model, draft, onChange }: DraftProps) {
  const options = model.allowed_passthrough_parameters;
  return (
    <details class="card">
      <summary>Webhook and provider options</summary>
      <div class="stack">
        <Field label="Callback URL" hint="https; without it the workspace’s own address is told">
          {(field) => (
            <input
              {...field}
              type="url"
              placeholder="https://…"
              value={draft.callbackUrl}
              onInput={({ currentTarget }) => onChange({ callbackUrl: currentTarget.value })}
            />
          )}
        </Field>
        {options.length > 0 && (
          <Field
            label="Provider options"
            hint={`JSON, a block by the name of the provider. Known: ${options.join(', ')}`}
          >
            {(field) => (
              <textarea
                {...field}
                rows={3}
                spellcheck={false}
                placeholder='{"sandbox": {}}'
                value={draft.options}
                onInput={({ currentTarget }) => onChange({ options: currentTarget.value })}
              />
            )}
          </Field>
        )}
      </div>
    </details>
  );
}
