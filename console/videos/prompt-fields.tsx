import type { VideoModel } from '../api/types.ts';
import { Field } from '../parts/field.tsx';
import { usd } from '../parts/format.ts';
import { SelectField } from '../parts/select-field.tsx';
import type { DraftProps } from './submit-form.tsx';

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
      <Field label="Prompt">
        {(field) => (
          <textarea
            {...field}
            required
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
