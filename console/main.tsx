import './styles/tokens.css';
import './styles/base.css';
import './styles/forms.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/videos.css';
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/preact-query';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import { isWorthAnotherTry, openApi } from './api/client.ts';
import { usePath } from './parts/address.ts';
import { ignoreMissedDrops } from './parts/drop-zone.tsx';
import { Toasts } from './parts/toast.tsx';
import { takeReturn } from './session/oidc.ts';
import { SignedIn } from './session/session.tsx';
import { SignIn } from './session/sign-in.tsx';
import { Shell } from './shell.tsx';

interface Held {
  readonly token: string;
  /** Ends what the session still does. */
  readonly ending: AbortController;
}

const hold = (token: string): Held => ({ token, ending: new AbortController() });

/** Who has no session signs in; who has one sees all that its key may see. */
function App() {
  const [returned, setReturned] = useState(takeReturn);
  const [held, setHeld] = useState<Held>();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(forgetAll, []);
  useEndWithPage(held?.token);
  const queries = useQueryClient();
  if (held === undefined) {
    const onToken = (token: string) => {
      setReturned(undefined);
      setHeld(hold(token));
    };
    return <SignIn returned={returned} hasEnded={hasEnded} onToken={onToken} />;
  }
  const leave = (isEnded: boolean) => {
    if (held.ending.signal.aborted) return;
    // First: an answer that came later would be kept.
    held.ending.abort();
    forgetAll();
    queries.clear();
    setHasEnded(isEnded);
    setHeld(undefined);
  };
  const signOut = () => {
    leave(false);
    endSession(held.token);
  };
  return (
    <Router hook={usePath}>
      <SignedIn
        token={held.token}
        ended={held.ending.signal}
        onRefused={() => leave(true)}
        onSignOut={signOut}
      >
        <Toasts>
          <Shell />
        </Toasts>
      </SignedIn>
    </Router>
  );
}

/** Ends a session on the server. If that is not reached, the session ends by itself within 15 minutes. */
function endSession(token: string): void {
  openApi(token)
    .DELETE('/sessions/current', { keepalive: true })
    .catch(() => undefined);
}

/** Nobody has the token any more when the page is gone. A page that the browser keeps may come back. */
function useEndWithPage(token: string | undefined): void {
  useEffect(() => {
    if (token === undefined) return;
    const end = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) endSession(token);
    };
    addEventListener('pagehide', end);
    return () => removeEventListener('pagehide', end);
  }, [token]);
}

/**
 * All that the tab keeps is of one session, and ends with it: when somebody signs out, and when the page is loaded anew, since
 * the token is in its memory only. What is in a browser's storage is on the disk too, where it outlives the tab.
 */
const forgetAll = (): void => sessionStorage.clear();

const queries = new QueryClient({
  defaultOptions: {
    // Without a network all would wait for one and say nothing, and a press would do its thing at any time later. The
    // local run needs no network.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: (count, error) => count < 2 && isWorthAnotherTry(error),
      staleTime: 2_000,
    },
  },
});
const root = document.getElementById('console');
if (root === null) throw new Error('The page has no element for the console');

ignoreMissedDrops();
render(
  <QueryClientProvider client={queries}>
    <App />
  </QueryClientProvider>,
  root,
);
