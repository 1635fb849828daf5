import { Check, Copy } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

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
