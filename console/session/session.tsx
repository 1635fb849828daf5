import { useQuery } from '@tanstack/preact-query';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type Api, answered, openApi } from '../api/client.ts';
import type { CurrentKey, Workspace } from '../api/types.ts';
import { Loading } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { ShownSecrets } from './shown-secrets.tsx';

interface Session {
  readonly token: string;
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
  if (session === undefined) throw new Error('You are signed out');
  return session;
}

const WORKSPACE = 'genway.workspace';

interface SignedInProps {
  readonly token: string;
  readonly ended: AbortSignal;
  /** When the session has ended, though nobody has signed out. */
  readonly onRefused: () => void;
  readonly onSignOut: () => void;
  readonly children: ComponentChildren;
}

/** Several times within the 15 minutes of a session, so that a renewal may fail. */
const RENEWED_AFTER_MILLISECONDS = 5 * 60_000;

/** Who uses the console stays signed in. What the page asks for by itself renews nothing. */
function useRenewal(api: Api): void {
  useEffect(() => {
    let renewedAt = Date.now();
    const renew = () => {
      if (Date.now() - renewedAt < RENEWED_AFTER_MILLISECONDS) return;
      renewedAt = Date.now();
      api.POST('/sessions/current/renew').catch(() => undefined);
    };
    addEventListener('pointerdown', renew);
    addEventListener('keydown', renew);
    return () => {
      removeEventListener('pointerdown', renew);
      removeEventListener('keydown', renew);
    };
  }, [api]);
}

/** Asks whose session it is, and tells the rest of the console. */
export function SignedIn({ token, ended, onRefused, onSignOut, children }: SignedInProps) {
  const api = useMemo(() => openApi(token, ended, onRefused), [token, ended]);
  useRenewal(api);
  const [chosen, setChosen] = useState(() => sessionStorage.getItem(WORKSPACE) ?? undefined);
  const { data: currentKey, error } = useQuery({
    queryKey: ['current-key'],
    queryFn: async () => (await answered(api.GET('/key'))).data,
    staleTime: 30_000,
  });
  if (currentKey === undefined) {
    return (
      <main class="sign-in">
        {error === null ? <Loading what="your key" /> : <Refused error={error} onSignOut={onSignOut} />}
      </main>
    );
  }
  const isManagement = currentKey.is_management_key;
  const workspaceId = isManagement ? (chosen ?? currentKey.workspace_id) : currentKey.workspace_id;
  const session: Session = {
    token,
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

function Refused({ error, onSignOut }: { readonly error: Error; readonly onSignOut: () => void }) {
  return (
    <div class="card stack">
      <FailureNote error={error} />
      <button type="button" class="primary" onClick={onSignOut}>
        Sign in again
      </button>
    </div>
  );
}

const MOST_A_PAGE = 100;

/** All of them, page after page. @param enabled whether the key may list them */
export function useWorkspaces(enabled = true) {
  const { api } = useSession();
  return useQuery({
    queryKey: ['workspaces'],
    enabled,
    staleTime: 30_000,
    queryFn: async () => {
      const all: Workspace[] = [];
      for (;;) {
        const query = { offset: all.length, limit: MOST_A_PAGE };
        const { data, total_count } = await answered(api.GET('/workspaces', { params: { query } }));
        all.push(...data);
        if (data.length === 0 || all.length >= total_count) return all;
      }
    },
  });
}

/** Where a workspace's events go. Only management keys may read it. */
export function useWebhook(workspaceId: string) {
  const { api, isManagement } = useSession();
  const params = { path: { workspace: workspaceId } };
  return useQuery({
    queryKey: ['webhook', workspaceId],
    enabled: isManagement,
    queryFn: async () => (await answered(api.GET('/workspaces/{workspace}/webhook', { params }))).data,
  });
}
