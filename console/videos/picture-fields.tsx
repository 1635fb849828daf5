import { Field } from '../parts/field.tsx';
import { seconds } from '../parts/format.ts';
import { Choice } from './choice.tsx';
import { durationsOf } from './draft.ts';
import type { DraftProps } from './submit-form.tsx';

const same = (value: string) => [value, value] as const;

export function PictureFields({ model, draft, onChange }: DraftProps) {
  return (
    <div class="columns">
      <Choice
        label="Length"
        value={draft.duration}
        choices={durationsOf(model, draft.resolution).map((length) => [String(length), seconds(length)])}
        onChange={(duration) => onChange({ duration })}
      />
      <Choice
        label="Resolution"
        value={draft.resolution}
        choices={model.supported_resolutions.map(same)}
        onChange={(resolution) => onChange({ resolution })}
      />
      <Choice
        label="Aspect ratio"
        value={draft.aspectRatio}
        choices={model.supported_aspect_ratios.map(same)}
        onChange={(aspectRatio) => onChange({ aspectRatio })}
      />
      {model.generate_audio && (
        <Choice
          label="Sound"
          value={draft.audio}
          choices={[
            ['true', 'with sound'],
            ['false', 'silent'],
          ]}
          onChange={(audio) => onChange({ audio: audio === 'true' || audio === 'false' ? audio : '' })}
        />
      )}
      {model.seed && (
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
      )}
    </div>
  );
}
