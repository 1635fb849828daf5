import { useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered, openApi } from '../api/client.ts';
import { Field } from '../parts/form.tsx';
import { FailureNote } from '../parts/notes.tsx';

/** A key is good if the API says so. */
export function SignIn({ onKey }: { readonly onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  const check = useAction(
    async (entered: string) => {
      await answered(openApi(entered).GET('/key'));
      return entered;
    },
    [],
    onKey,
  );
  return (
    <main class="sign-in">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate(key.trim());
        }}
      >
        <h1>Genway console</h1>
        <p>Sign in with an API key to make videos, or with a management key to manage this deployment too.</p>
        <KeyField value={key} onChange={setKey} />
        <FailureNote error={check.error} />
        <button class="primary" type="submit" disabled={check.isPending}>
          {check.isPending ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="quiet">
          A deployer makes the first management key with <code>npm run admin -- create-management-key</code>.{' '}
          <code>npm start</code> prints two keys.
        </p>
      </form>
    </main>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const KeyField = ({ value, onChange }: KeyFieldProps) => (
  <Field label="Key" hint="It stays in this page’s memory: who reloads or closes the page signs in again.">
    {(field) => (
      <input
        {...field}
        type="password"
        autoComplete="off"
        spellcheck={false}
        required
        placeholder="sk-gw-v1-… or mk-gw-v1-…"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )}
  </Field>
);
