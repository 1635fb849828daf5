import * as v from 'valibot';
import type { AuthenticatedCall } from '../http/call.ts';
import { query } from '../http/query.ts';
import { workspaceId } from '../http/validation.ts';
import { actingWorkspace } from '../workspaces/acting-workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import type { FileProviderName } from './providers/file-provider.ts';

/** Each provider has two names, its own and the neutral one. */
const PROVIDERS: ReadonlyMap<string, FileProviderName> = new Map([
  ['provider_a', 'openai'],
  ['provider_b', 'anthropic'],
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
]);
const PROVIDER_NAMES = [...PROVIDERS.keys()];

/** The query of every operation on files. */
export const fileScopeQuery = {
  workspace_id: v.optional(workspaceId),
  provider: v.optional(
    v.pipe(
      v.picklist(PROVIDER_NAMES, `must be one of ${PROVIDER_NAMES.join(', ')}`),
      v.description(
        'The provider whose own Files API has the file, with the key that the workspace has stored for it; `provider_a` is OpenAI, `provider_b` Anthropic. Without it, files are stored here',
      ),
    ),
  ),
};

export interface FileScope {
  readonly workspaceId: string;
  /** The provider that stores the files; undefined for our own storage. */
  readonly provider: FileProviderName | undefined;
}

/**
 * The workspace whose files a request is about: the key's own, or the one it names. The answer is the same for somebody
 * else's workspace and for one that does not exist.
 * @throws InvalidRequest, PermissionDenied
 */
export async function fileScope(
  call: Pick<AuthenticatedCall, 'query' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById' | 'findBySlug'>,
): Promise<FileScope> {
  const { workspace_id: named, provider: account } = query(call, fileScopeQuery);
  const provider = account === undefined ? undefined : PROVIDERS.get(account);
  return { workspaceId: await actingWorkspace(call.principal, named, workspaces), provider };
}
