import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';
import { forgetKey, keepKey, keptKey } from './session/kept-key.ts';
import { SignIn } from './session/sign-in.tsx';
import { SignedIn } from './session/signed-in.tsx';
import { Shell } from './shell.tsx';

/** Who has no key signs in; who has one sees all that the key may see. */
export function App() {
  const [key, setKey] = useState(keptKey);
  const queries = useQueryClient();
  const signIn = (entered: string) => {
    keepKey(entered);
    setKey(entered);
  };
  const signOut = () => {
    forgetKey();
    queries.clear();
    setKey(undefined);
  };
  if (key === undefined) return <SignIn onKey={signIn} />;
  return (
    <Router hook={useHashLocation}>
      <SignedIn apiKey={key} onSignOut={signOut}>
        <Shell />
      </SignedIn>
    </Router>
  );
}
