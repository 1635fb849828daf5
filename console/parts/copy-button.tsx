import { Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';

/** Says what became of it, also to screen readers. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState(label);
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select and copy the text',
    );
    setSaid(done);
  };
  return (
    <button type="button" onClick={copy}>
      <Copy />
      <span aria-live="polite">{said}</span>
    </button>
  );
}

/** A secret that no other answer shows. */
export function SecretOnce({ what, secret }: { readonly what: string; readonly secret: string }) {
  return (
    <div class="secret stack">
      <p>
        <strong>Copy {what} now.</strong> You cannot see it again.
      </p>
      <code data-testid="secret">{secret}</code>
      <CopyButton key={secret} text={secret} label={`Copy ${what}`} />
    </div>
  );
}
