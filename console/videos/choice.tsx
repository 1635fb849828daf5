import { Field } from '../parts/field.tsx';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** One of what the model has, or what it takes by itself. */
export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(field) => (
        <select {...field} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">the model’s own</option>
          {choices.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
