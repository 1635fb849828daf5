import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Api } from '../api/client.ts';
import type { CurrentKey } from '../api/types.ts';

export interface Session {
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

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('Nobody is signed in here');
  return session;
}
