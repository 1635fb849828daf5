import type { LucideIcon } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { DialogButton } from './dialog.tsx';
import { Field } from './form.tsx';
import { FailureNote } from './notes.tsx';
import { useToast } from './toast.tsx';

interface ConfirmProps {
  readonly label: string;
  readonly act: () => Promise<unknown>;
  /** The queries that show something else afterwards. */
  readonly stale: readonly string[];
  /** What it says when that is done. */
  readonly done: string;
  /** The button that does nothing. @default Cancel */
  readonly keep?: string;
  /** Must be typed first: what is lost is more than one thing. */
  readonly typed?: string | undefined;
  readonly onDone?: () => void;
  readonly onClose: () => void;
  /** What is lost. */
  readonly children: ComponentChildren;
}

/** Asks before what cannot be undone. */
export function Confirm({
  label,
  act,
  stale,
  done,
  keep = 'Cancel',
  typed,
  onDone,
  onClose,
  children,
}: ConfirmProps) {
  const toast = useToast();
  const [entered, setEntered] = useState('');
  const action = useAction(act, stale, () => {
    onClose();
    toast(done);
    onDone?.();
  });
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate(undefined);
      }}
    >
      {children}
      {typed !== undefined && (
        <Field label={`Type ${typed} to confirm`}>
          {(field) => (
            <input
              {...field}
              autoComplete="off"
              spellcheck={false}
              value={entered}
              onInput={({ currentTarget }) => setEntered(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <FailureNote error={action.error} />
      <div class="dialog-actions">
        <button type="button" onClick={onClose}>
          {keep}
        </button>
        <button
          type="submit"
          class="danger"
          disabled={action.isPending || (typed !== undefined && entered !== typed)}
        >
          {label}
        </button>
      </div>
    </form>
  );
}

interface ConfirmButtonProps extends Omit<ConfirmProps, 'onClose'> {
  readonly icon: LucideIcon;
  /** Tells this button from others of the same label. */
  readonly of?: string;
}

export const ConfirmButton = ({ of, icon, ...question }: ConfirmButtonProps) => (
  <DialogButton label={question.label} icon={icon} of={of} kind="danger" title={`${question.label}?`}>
    {(close) => <Confirm {...question} onClose={close} />}
  </DialogButton>
);
