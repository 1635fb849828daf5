import type { LucideIcon } from 'lucide-preact';
import { X } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { createPortal } from 'preact/compat';
import { useEffect, useId, useRef, useState } from 'preact/hooks';

/** Where somebody begins: in the first field, or at what undoes nothing. */
const FIRST = 'input, select, textarea, .dialog-actions button';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** It stays on Escape, which may have been meant for what was there before it. */
  readonly stays?: boolean;
  /** How it looks, where it is no box in the middle. */
  readonly kind?: 'drawer' | 'wide';
  readonly children: ComponentChildren;
}

/** The browser's own: it keeps the focus inside, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, stays = false, kind, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Otherwise the first control has it, which closes the dialog.
    opened?.querySelector<HTMLElement>(FIRST)?.focus();
    // One that is only taken out of the page leaves the focus nowhere.
    return () => opened?.close();
  }, []);
  // In the body: it may be of a field, and its own form must not stand in the form of that field.
  return createPortal(
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onClose={onClose}
      // Chrome asks no more on a second Escape: it must not get that far.
      onKeyDown={(event) => {
        if (stays && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        if (stays) event.preventDefault();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="plain icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <X />
        </button>
      </header>
      {children}
    </dialog>,
    document.body,
  );
}

interface DialogButtonProps {
  readonly label: string;
  readonly icon?: LucideIcon;
  /** Tells this button from others of the same label. */
  readonly of?: string | undefined;
  readonly kind?: 'primary' | 'danger';
  /** @default the label */
  readonly title?: string;
  readonly children: (close: () => void) => ComponentChildren;
}

/** Opens a dialog that belongs to it. */
export function DialogButton({ label, icon: Icon, of, kind, title = label, children }: DialogButtonProps) {
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
        {Icon !== undefined && <Icon />}
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
