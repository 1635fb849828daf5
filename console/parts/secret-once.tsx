import { CopyButton } from './copy-button.tsx';

/** A secret that no other answer shows. */
export function SecretOnce({ what, secret }: { readonly what: string; readonly secret: string }) {
  return (
    <div class="secret stack">
      <p>
        <strong>Copy {what} now.</strong> It is shown this once.
      </p>
      <code data-testid="secret">{secret}</code>
      <CopyButton key={secret} text={secret} label={`Copy ${what}`} />
    </div>
  );
}
