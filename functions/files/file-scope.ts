import * as v from 'valibot';
import { type AuthenticatedCall, query } from '../http/call.ts';
import { PermissionDenied } from '../http/errors.ts';
import { workspaceId } from '../http/validation.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import type { FileProviderName } from './providers/file-provider.ts';

/** Both names of a provider, its own and the neutral one. */
const PROVIDERS: ReadonlyMap<string, FileProviderName> = new Map([
  ['provider_a', 'openai'],
  ['provider_b', 'anthropic'],
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
]);
const PROVIDER_NAMES = [...PROVIDERS.keys()];

/** What every operation on files takes. */
export const fileScopeQuery = {
  workspace_id: v.optional(workspaceId),
  provider: v.optional(v.picklist(PROVIDER_NAMES, `must be one of ${PROVIDER_NAMES.join(', ')}`)),
};

export interface FileScope {
  readonly workspaceId: string;
  /** Whose storage the files are in; ours where none is named. */
  readonly provider: FileProviderName | undefined;
}

/**
 * The workspace whose files a request is about: the key's own, or the one it names. A foreign one and one
 * that does not exist answer alike.
 * @throws InvalidRequest, PermissionDenied
 */
export async function fileScope(
  call: Pick<AuthenticatedCall, 'query' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById'>,
): Promise<FileScope> {
  const { workspace_id: named, provider: account } = query(call, fileScopeQuery);
  const provider = account === undefined ? undefined : PROVIDERS.get(account);
  const { principal } = call;
  const id = named?.toLowerCase() ?? principal.workspaceId;
  if (id === principal.workspaceId) return { workspaceId: id, provider };
  if (principal.kind === 'management' && (await workspaces.findById(id)) !== undefined) {
    return { workspaceId: id, provider };
  }
  throw foreignWorkspace();
}

export const foreignWorkspace = (cause?: unknown): PermissionDenied =>
  new PermissionDenied('workspace_id: this key may not act in that workspace', { cause });
