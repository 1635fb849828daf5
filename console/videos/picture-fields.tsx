import { Field } from '../parts/field.tsx';
import { seconds } from '../parts/format.ts';
import { SelectField } from '../parts/select-field.tsx';
import { durationsOf } from './draft.ts';
import type { DraftProps } from './submit-form.tsx';

/** What the model takes by itself. */
const ITS_OWN = ['', 'the model’s own'] as const;
const same = (value: string) => [value, value] as const;

export function PictureFields({ model, draft, onChange }: DraftProps) {
  return (
    <div class="columns">
      <SelectField
        label="Length"
        value={draft.duration}
        choices={[
          ITS_OWN,
          ...durationsOf(model, draft.resolution).map((length) => [String(length), seconds(length)] as const),
        ]}
        onChange={(duration) => onChange({ duration })}
      />
      <SelectField
        label="Resolution"
        value={draft.resolution}
        choices={[ITS_OWN, ...model.supported_resolutions.map(same)]}
        onChange={(resolution) => onChange({ resolution })}
      />
      <SelectField
        label="Aspect ratio"
        value={draft.aspectRatio}
        choices={[ITS_OWN, ...model.supported_aspect_ratios.map(same)]}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
      />
      {model.generate_audio && (
        <SelectField
          label="Sound"
          value={draft.audio}
          choices={[ITS_OWN, ['true', 'with sound'], ['false', 'silent']]}
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
