import type { LucideIcon } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import type { Action } from '../api/action.ts';
import { FailureNote } from './notes.tsx';

interface ActionButtonProps {
  readonly action: Action<undefined>;
  readonly icon?: LucideIcon;
  readonly kind?: 'primary' | 'danger';
  /** Tells this button from others that say the same. */
  readonly label?: string | undefined;
  readonly disabled?: boolean;
  readonly children: ComponentChildren;
}

/** Does one thing, once at a time, and says why it could not. */
export function ActionButton({
  action,
  icon: Icon,
  kind,
  label,
  disabled = false,
  children,
}: ActionButtonProps) {
  return (
    <>
      <FailureNote error={action.error} />
      <button
        type="button"
        class={kind}
        aria-label={label}
        disabled={disabled || action.isPending}
        onClick={() => action.mutate(undefined)}
      >
        {Icon !== undefined && <Icon />}
        {children}
      </button>
    </>
  );
}
