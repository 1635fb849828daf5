import { useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../api/action.ts';
import { answered, openApi } from '../api/client.ts';
import { Field } from '../parts/form.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { leaveFor, type Return, tokenFor } from './oidc.ts';

interface SignInProps {
  /** How the identity provider has sent the browser back, if it has. */
  readonly returned: Return | undefined;
  /** Whether the session before has ended, though nobody has signed out. */
  readonly hasEnded: boolean;
  readonly onToken: (token: string) => void;
}

/** Exchanges a key for a session, whose token is all that the console keeps. */
export function SignIn({ returned, hasEnded, onToken }: SignInProps) {
  const [key, setKey] = useState('');
  const begin = useAction(
    async (entered: string) => (await answered(openApi(entered).POST('/sessions'))).token,
    [],
    onToken,
  );
  const { mutate: finish, error: refusal } = useAction(tokenFor, [], onToken);
  useEffect(() => {
    if (returned !== undefined) finish(returned);
  }, [returned, finish]);
  return (
    <main class="sign-in">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          begin.mutate(key.trim());
        }}
      >
        <h1>Genway console</h1>
        {hasEnded && <p role="status">Your session has ended. Sign in again.</p>}
        <FailureNote error={refusal} />
        <p>
          Sign in with an API key to create videos, or with a management key to manage this deployment too.
        </p>
        <KeyField value={key} onChange={setKey} />
        <FailureNote error={begin.error} />
        <button class="primary" type="submit" disabled={begin.isPending}>
          {begin.isPending ? 'Signing in …' : 'Sign in'}
        </button>
        <WithProvider />
        <p class="quiet">
          To create the first management key, run <code>npx genway admin create-management-key</code> with AWS
          credentials and the <code>--stage</code> or <code>--stack</code> of this deployment. A local stage
          prints its keys when it starts.
        </p>
      </form>
    </main>
  );
}

/** Where the stage has an identity provider. Until that is known, and where it cannot be reached, a key is enough. */
function WithProvider() {
  const { data } = useQuery({
    queryKey: ['oidc'],
    queryFn: async () => (await answered(openApi('').GET('/sessions/oidc'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data === null) return null;
  return (
    <button type="button" onClick={() => leaveFor(data)}>
      Sign in with {new URL(data.issuer).host}
    </button>
  );
}

interface KeyFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const KeyField = ({ value, onChange }: KeyFieldProps) => (
  <Field
    label="Key"
    hint="Your session ends after 10 to 15 minutes without use, after 12 hours, or when you sign out, reload or close the page."
  >
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
