import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';
import { forgetKey, keepKey, keptKey } from './session/kept-key.ts';
import { SignIn } from './session/sign-in.tsx';
import { SignedIn } from './session/signed-in.tsx';
import { Shell } from './shell.tsx';

interface Held {
  readonly key: string;
  /** Ends what the key still does. */
  readonly ending: AbortController;
}

const hold = (key: string): Held => ({ key, ending: new AbortController() });

/** Who has no key signs in; who has one sees all that the key may see. */
export function App() {
  const [held, setHeld] = useState(() => {
    const key = keptKey();
    return key === undefined ? undefined : hold(key);
  });
  const queries = useQueryClient();
  const signIn = (entered: string) => {
    keepKey(entered);
    setHeld(hold(entered));
  };
  if (held === undefined) return <SignIn onKey={signIn} />;
  const signOut = () => {
    // First: an answer that came later would be kept.
    held.ending.abort();
    forgetKey();
    queries.clear();
    setHeld(undefined);
  };
  return (
    <Router hook={useHashLocation}>
      <SignedIn apiKey={held.key} ended={held.ending.signal} onSignOut={signOut}>
        <Shell />
      </SignedIn>
    </Router>
  );
}
