import type { ComponentChildren } from 'preact';
import { type Action, useAction } from '../api/action.ts';
import { DialogButton } from './dialog.tsx';
import { FailureNote } from './notes.tsx';

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

interface DownloadButtonProps {
  /** A link that is good for some minutes, without a key. */
  readonly askForLink: () => Promise<string>;
  /** Tells this button from others that say the same. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** What the link leads to is an attachment: the browser stays where it is. */
export function DownloadButton({ askForLink, label, children }: DownloadButtonProps) {
  const download = useAction(async () => window.location.assign(await askForLink()), []);
  return (
    <ActionButton action={download} label={label}>
      {children}
    </ActionButton>
  );
}
