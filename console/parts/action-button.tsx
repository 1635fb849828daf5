import type { ComponentChildren } from 'preact';
import type { Action } from '../api/use-action.ts';
import { FailureNote } from './failure-note.tsx';

interface ActionButtonProps {
  readonly action: Action<undefined>;
  readonly kind?: 'primary' | 'danger';
  /** Tells this button from others that say the same. */
  readonly label?: string | undefined;
  readonly children: ComponentChildren;
}

/** Does one thing, once at a time, and says why it could not. */
export function ActionButton({ action, kind, label, children }: ActionButtonProps) {
  return (
    <>
      <FailureNote error={action.error} />
      <button
        type="button"
        class={kind}
        aria-label={label}
        disabled={action.isPending}
        onClick={() => action.mutate(undefined)}
      >
        {children}
      </button>
    </>
  );
}
