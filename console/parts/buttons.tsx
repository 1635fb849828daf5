import { Check, Copy, type LucideIcon } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Action } from '../api/action.ts';
import { FailureNote } from './notes.tsx';

/** To the clipboard, which a browser may refuse. */
const isWritten = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

/** Says what became of it, also to screen readers. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState(label);
  const copy = async () => setSaid((await isWritten(text)) ? 'Copied' : 'Copy failed');
  return (
    <button type="button" onClick={copy}>
      <Copy />
      <span aria-live="polite">{said}</span>
    </button>
  );
}

/** An id, with a button that copies it. */
export function Id({ of, id }: { readonly of: string; readonly id: string }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <span class="id">
      <code>{id}</code>
      <button
        type="button"
        class="plain icon"
        aria-label={`${isCopied ? 'Copied' : 'Copy'} ${of}`}
        onClick={async () => setCopied(await isWritten(id))}
      >
        {isCopied ? <Check /> : <Copy />}
      </button>
    </span>
  );
}

interface SecretProps {
  readonly what: string;
  readonly secret: string;
  readonly children?: ComponentChildren;
}

export function Secret({ what, secret, children }: SecretProps) {
  return (
    <div class="secret stack">
      {children}
      <code data-testid="secret">{secret}</code>
      <CopyButton key={secret} text={secret} label={`Copy ${what}`} />
    </div>
  );
}

/** A secret that no other answer shows. */
export function SecretOnce({ what, secret }: Omit<SecretProps, 'children'>) {
  return (
    <Secret what={what} secret={secret}>
      <p>
        <strong>Copy {what} now.</strong> Genway does not show it again.
      </p>
    </Secret>
  );
}

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
