import { useState } from 'preact/hooks';

/** Says what became of it, also to screen readers. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, setSaid] = useState(label);
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select it and copy it yourself',
    );
    setSaid(done);
  };
  return (
    <button type="button" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  );
}
