import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import { Dialog } from './dialog.tsx';
import { FailureNote } from './failure-note.tsx';

interface ConfirmButtonProps {
  readonly label: string;
  /** Tells this button from others of the same label. */
  readonly of?: string;
  readonly act: () => Promise<unknown>;
  /** The queries that show something else afterwards. */
  readonly stale: readonly string[];
  readonly onDone?: () => void;
  /** What it means. */
  readonly children: ComponentChildren;
}

/** For what cannot be undone: asks first. */
export function ConfirmButton({ label, of, act, stale, onDone, children }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(act, stale, () => {
    setAsking(false);
    onDone?.();
  });
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={of === undefined ? undefined : `${label} ${of}`}
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
      {isAsking && (
        <Dialog title={`${label}?`} onClose={() => setAsking(false)}>
          <div class="stack">
            {children}
            <FailureNote error={action.error} />
            <button
              type="button"
              class="danger"
              disabled={action.isPending}
              onClick={() => action.mutate(undefined)}
            >
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
