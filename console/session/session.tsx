import { useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { type Api, ApiFailure, answered, openApi } from '../api/client.ts';
import type { CurrentKey } from '../api/types.ts';
import { Loading } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { ShownSecrets } from './shown-secrets.tsx';

interface Session {
  readonly apiKey: string;
  readonly api: Api;
  /** When somebody signs out. */
  readonly ended: AbortSignal;
  readonly currentKey: CurrentKey;
  readonly isManagement: boolean;
  /** Whose videos and files are shown. */
  readonly workspaceId: string;
  readonly chooseWorkspace: (id: string) => void;
  /** A key of a workspace is asked for nothing else; a management key must name the workspace. */
  readonly scope: { readonly workspace_id?: string };
  readonly signOut: () => void;
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('Nobody is signed in here');
  return session;
}

const WORKSPACE = 'genway.workspace';

interface SignedInProps {
  readonly apiKey: string;
  readonly ended: AbortSignal;
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}

/** Asks whose key it is, and tells the rest of the console. */
export function SignedIn({ apiKey, ended, onSignOut, children }: SignedInProps) {
  const api = useMemo(() => openApi(apiKey, ended), [apiKey, ended]);
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(WORKSPACE) ?? undefined);
  const { data: currentKey, error } = useQuery({
    queryKey: ['current-key'],
    queryFn: async () => (await answered(api.GET('/key'))).data,
    staleTime: 30_000,
  });
  const isRefused = error instanceof ApiFailure && error.status === 401;
  if (currentKey === undefined || isRefused) {
    return (
      <main class="sign-in">
        {error === null ? <Loading what="your key" /> : <KeyIsGone error={error} onSignOut={onSignOut} />}
      </main>
    );
  }
  const isManagement = currentKey.is_management_key;
  const workspaceId = isManagement ? (chosen ?? currentKey.workspace_id) : currentKey.workspace_id;
  const session: Session = {
    apiKey,
    api,
    ended,
    currentKey,
    isManagement,
    workspaceId,
    chooseWorkspace: (id) => {
      sessionStorage.setItem(WORKSPACE, id);
      setChosen(id);
    },
    scope: isManagement ? { workspace_id: workspaceId } : {},
    signOut: onSignOut,
  };
  return (
    <SessionContext.Provider value={session}>
      <ShownSecrets>{children}</ShownSecrets>
    </SessionContext.Provider>
  );
}

function KeyIsGone({ error, onSignOut }: { readonly error: Error; readonly onSignOut: () => void }) {
  return (
    <div class="card stack">
      <FailureNote error={error} />
      <button type="button" class="primary" onClick={onSignOut}>
        Sign in with another key
      </button>
    </div>
  );
}
