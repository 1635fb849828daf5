import type { ComponentChildren } from 'preact';
import type { Action } from '../api/use-action.ts';
import { FailureNote } from './failure-note.tsx';
import { ResultNote } from './result-note.tsx';

interface ActionFormProps {
  /** Gets the form as it is sent. */
  readonly action: Action<HTMLFormElement>;
  /** What it says when that is done. */
  readonly done?: string;
  /** What the button says that sends it. */
  readonly submit: string;
  readonly kind?: 'primary';
  /** The fields. */
  readonly children: ComponentChildren;
}

/** Sends its fields, once at a time, says why it could not, and is empty again where it could. */
export function ActionForm({ action, done, submit, kind, children }: ActionFormProps) {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        action.mutate(form, { onSuccess: () => form.reset() });
      }}
    >
      {children}
      <FailureNote error={action.error} />
      <button class={kind} type="submit" disabled={action.isPending}>
        {submit}
      </button>
      <ResultNote>{action.isSuccess && done}</ResultNote>
    </form>
  );
}
