import { useQueryClient } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { usePath } from './parts/address.ts';
import { Toasts } from './parts/toast.tsx';
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
  const [held, setHeld] = useState<Held>();
  useEffect(forgetAll, []);
  const queries = useQueryClient();
  if (held === undefined) return <SignIn onKey={(key) => setHeld(hold(key))} />;
  const signOut = () => {
    // First: an answer that came later would be kept.
    held.ending.abort();
    forgetAll();
    queries.clear();
    setHeld(undefined);
  };
  return (
    <Router hook={usePath}>
      <SignedIn apiKey={held.key} ended={held.ending.signal} onSignOut={signOut}>
        <Toasts>
          <Shell />
        </Toasts>
      </SignedIn>
    </Router>
  );
}

/**
 * All that the tab keeps is of one session, and ends with it: when somebody signs out, and when the page is loaded anew, since
 * the key is in its memory only. What is in a browser's storage is on the disk too, where it outlives the tab.
 */
const forgetAll = (): void => sessionStorage.clear();
