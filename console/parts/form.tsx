import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Action } from '../api/action.ts';
import { FailureNote } from './notes.tsx';
import { useToast } from './toast.tsx';

interface ActionFormProps {
  /** Gets the form as it is sent. */
  readonly action: Action<HTMLFormElement>;
  /** What it says when that is done. */
  readonly done?: string;
  /** What the button says that sends it. */
  readonly submit: string;
  /** Leaves the form, where it stands in a dialog. */
  readonly onCancel?: () => void;
  /** The fields. */
  readonly children: ComponentChildren;
}

/** Sends its fields, once at a time, says why it could not, and is empty again where it could. */
export function ActionForm({ action, done, submit, onCancel, children }: ActionFormProps) {
  const toast = useToast();
  const succeeded = (form: HTMLFormElement) => {
    form.reset();
    if (done !== undefined) toast(done);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        // Not by a callback of `mutate`: a dialog that closes on success takes that with it. A failure is shown below.
        action.mutateAsync(form).then(
          () => succeeded(form),
          () => undefined,
        );
      }}
    >
      {children}
      <FailureNote error={action.error} />
      <div class={onCancel === undefined ? 'actions' : 'dialog-actions'}>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
        <button class="primary" type="submit" disabled={action.isPending}>
          {submit}
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly children: (field: { id: string; 'aria-describedby'?: string }) => ComponentChildren;
}

/** A label and a hint that belong to an input, for eyes and for screen readers. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const describes = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...describes })}
      {hint !== undefined && (
        <small id={`${id}-hint`} class="quiet">
          {hint}
        </small>
      )}
    </div>
  );
}

interface LimitFieldProps {
  readonly label: string;
  /** @default `limit` */
  readonly name?: string;
  readonly of: number | null | undefined;
}

/** An amount in USD; empty for none. */
export const LimitField = ({ label, name = 'limit', of }: LimitFieldProps) => (
  <Field label={label}>
    {(field) => (
      <input
        {...field}
        name={name}
        type="number"
        min={0}
        step="any"
        placeholder="No limit"
        defaultValue={of ?? ''}
        key={of}
      />
    )}
  </Field>
);

interface PercentFieldProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly name: string;
  /** From 0 to 1. */
  readonly of: number;
}

/** A share above 0, in percent. */
export const PercentField = ({ label, hint, name, of }: PercentFieldProps) => (
  <Field label={label} hint={hint}>
    {(field) => (
      <input
        {...field}
        key={of}
        name={name}
        type="number"
        required
        min={0.01}
        max={100}
        step="any"
        defaultValue={Number((of * 100).toPrecision(12))}
      />
    )}
  </Field>
);

/** When a limit resets, named `limit_reset`; empty for never. A field named `reset` would hide the method of its form. */
export const ResetField = ({ of }: { readonly of: string | null | undefined }) => (
  <Field label="Resets">
    {(field) => (
      <select {...field} name="limit_reset" defaultValue={of ?? ''}>
        <option value="">Never</option>
        <option value="daily">Daily</option>
        <option value="weekly">Weekly</option>
        <option value="monthly">Monthly</option>
      </select>
    )}
  </Field>
);

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

/** What stands in a field of a form, without the space around it; undefined where it is empty. */
export function textIn(form: HTMLFormElement, name: string): string | undefined {
  const value = new FormData(form).get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

export function numberIn(form: HTMLFormElement, name: string): number | undefined {
  const text = textIn(form, name);
  return text === undefined ? undefined : Number(text);
}

/** Of names between commas; null where there are none. */
export function listIn(form: HTMLFormElement, name: string): string[] | null {
  const names = (textIn(form, name) ?? '').split(',').map((each) => each.trim());
  const given = names.filter((each) => each !== '');
  return given.length === 0 ? null : given;
}
