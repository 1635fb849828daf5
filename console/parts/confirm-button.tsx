import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { ActionButton } from './action-button.tsx';
import { DialogButton } from './dialog-button.tsx';

interface ConfirmProps {
  readonly label: string;
  readonly act: () => Promise<unknown>;
  /** The queries that show something else afterwards. */
  readonly stale: readonly string[];
  readonly onDone?: () => void;
  /** What it means. */
  readonly children: ComponentChildren;
}

interface ConfirmButtonProps extends ConfirmProps {
  /** Tells this button from others of the same label. */
  readonly of?: string;
}

/** For what cannot be undone: asks first. */
export function ConfirmButton({ of, onDone, ...question }: ConfirmButtonProps) {
  const { label } = question;
  return (
    <DialogButton label={label} of={of} kind="danger" title={`${label}?`}>
      {(close) => (
        <Confirm
          {...question}
          onDone={() => {
            close();
            onDone?.();
          }}
        />
      )}
    </DialogButton>
  );
}

function Confirm({ label, act, stale, onDone, children }: ConfirmProps) {
  const action = useAction(act, stale, onDone);
  return (
    <div class="stack">
      {children}
      <ActionButton action={action} kind="danger">
        {label}
      </ActionButton>
    </div>
  );
}
