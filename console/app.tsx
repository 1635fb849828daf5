import { useQueryClient } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';
import { SignedIn } from './session/session.tsx';
import { SignIn } from './session/sign-in.tsx';
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

const KEPT_AS = 'genway.key';

/** The key lives as long as the tab, and no other tab sees it. */
const keptKey = (): string | undefined => sessionStorage.getItem(KEPT_AS) ?? undefined;
const keepKey = (key: string): void => sessionStorage.setItem(KEPT_AS, key);

/** All that the console keeps is of the session that ends. */
const forgetKey = (): void => sessionStorage.clear();
