import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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
