import type { VideoModel } from '../api/types.ts';
import { Field, SelectField } from '../parts/form.tsx';
import { seconds, usd } from '../parts/format.ts';
import { choicesOf, type DraftProps } from './draft.ts';
import { pricePerSecond } from './estimate.ts';
import { endingOf } from './model-end.ts';

interface PromptFieldsProps extends DraftProps {
  readonly models: readonly VideoModel[];
  readonly onModel: (model: VideoModel) => void;
}

export function PromptFields({ model, models, onModel, draft, onChange }: PromptFieldsProps) {
  return (
    <>
      <SelectField
        label="Model"
        hint={`${model.description} From ${usd(pricePerSecond(model))} per second.`}
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
            rows={4}
            placeholder="A red fox in fresh snow, at dawn"
            value={draft.prompt}
            onInput={({ currentTarget }) => onChange({ prompt: currentTarget.value })}
          />
        )}
      </Field>
    </>
  );
}

/** Warns of a model that soon no vendor runs. */
function EndingNote({ model }: { readonly model: VideoModel }) {
  const ending = endingOf(model, new Date());
  return ending === undefined ? null : <p class="warning">{ending}</p>;
}

type Choice<Value extends string> = readonly [value: Value | '', text: string];

/** Says what a submit that names none gets, unless the inputs leave another value. */
function withDefault<Value extends string>(
  usual: string,
  choices: readonly Choice<Value>[],
): readonly Choice<Value>[] {
  const [, text] = choices.find(([value]) => value === usual) ?? [];
  return [['', text === undefined ? 'Default' : `Default (${text})`], ...choices];
}

const SOUNDS = { true: ['true', 'On'], false: ['false', 'Off'] } as const;
const same = <Value extends string>(value: Value) => [value, value] as const;

export function PictureFields({ model, draft, onChange }: DraftProps) {
  const { resolutions, durations, aspectRatios, audio } = choicesOf(model, draft);
  const { defaults } = model;
  return (
    <div class="columns">
      {durations.length > 0 && (
        <SelectField
          label="Duration"
          value={draft.duration}
          choices={withDefault(
            String(defaults.duration),
            durations.map((length) => [String(length), seconds(length)] as const),
          )}
          onChange={(duration) => onChange({ duration })}
        />
      )}
      {resolutions.length > 0 && (
        <SelectField
          label="Resolution"
          value={draft.resolution}
          choices={withDefault(defaults.resolution, resolutions.map(same))}
          onChange={(resolution) => onChange({ resolution })}
        />
      )}
      {aspectRatios.length > 0 && (
        <SelectField
          label="Aspect ratio"
          value={draft.aspectRatio}
          choices={withDefault(defaults.aspect_ratio, aspectRatios.map(same))}
          onChange={(aspectRatio) => onChange({ aspectRatio })}
        />
      )}
      {audio.length > 0 && (
        <SelectField
          label="Audio"
          value={draft.audio}
          choices={withDefault(
            String(defaults.generate_audio),
            audio.map((sound) => SOUNDS[sound ? 'true' : 'false']),
          )}
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
        placeholder="Random"
        value={draft.seed}
        onInput={({ currentTarget }) => onChange({ seed: currentTarget.value })}
      />
    )}
  </Field>
);

/** What few need: where the webhook goes, and what only this provider knows. */
export function DeliveryFields({ model, draft, onChange }: DraftProps) {
  const options = model.allowed_passthrough_parameters;
  return (
    <details>
      <summary>Advanced</summary>
      <div class="stack">
        <Field label="Callback URL" hint="Overrides the webhook URL of the workspace.">
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
            hint={`JSON with one object per provider. Options: ${options.join(', ')}.`}
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
        <label class="check">
          <input
            type="checkbox"
            checked={draft.keepsPrompt}
            onChange={({ currentTarget }) => onChange({ keepsPrompt: currentTarget.checked })}
          />
          <span>
            Save the prompt (up to 512 characters) and the settings as metadata, so that lists and webhooks
            show them. URLs and provider options are left out. If the settings exceed 512 characters, none of
            them is saved.
          </span>
        </label>
      </div>
    </details>
  );
}
