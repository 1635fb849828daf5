import { Field } from './field.tsx';

interface SelectFieldProps<Value extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly value: Value;
  readonly choices: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** One of some. What the browser gives back is one of the choices, or nothing changes. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const { label, hint, value, choices, onChange } = props;
  const change = (text: string) => {
    const [chosen] = choices.find(([each]) => each === text) ?? [];
    if (chosen !== undefined) onChange(chosen);
  };
  return (
    <Field label={label} hint={hint}>
      {(field) => (
        <select {...field} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
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
