import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';

interface DialogButtonProps {
  readonly label: string;
  /** Tells this button from others of the same label. */
  readonly of?: string | undefined;
  readonly kind?: 'primary' | 'danger';
  /** @default the label */
  readonly title?: string;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Opens a dialog that belongs to it. */
export function DialogButton({ label, of, kind, title = label, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={of === undefined ? undefined : `${label} ${of}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
