import * as v from 'valibot';
import { type AuthenticatedCall, query } from '../http/call.ts';
import { InvalidRequest, PermissionDenied } from '../http/errors.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';

const PROVIDERS = ['provider_a', 'provider_b', 'openai', 'anthropic'];

/**
 * The workspace whose files a request is about: the key's own, or the one it names. A foreign one and one
 * that does not exist answer alike.
 * @throws InvalidRequest, PermissionDenied
 */
export async function fileScope(
  call: Pick<AuthenticatedCall, 'query' | 'principal'>,
  workspaces: Pick<WorkspaceStore, 'findById'>,
): Promise<string> {
  const { workspace_id: named, provider } = query(call, {
    workspace_id: v.optional(v.pipe(v.string(), v.uuid('must be the id (a UUID) of a workspace'))),
    provider: v.optional(v.picklist(PROVIDERS, `must be one of ${PROVIDERS.join(', ')}`)),
  });
  if (provider !== undefined) {
    throw new InvalidRequest(`provider: no key for ${provider} is stored for this workspace`, {
      metadata: { path: 'provider' },
    });
  }
  const { principal } = call;
  const id = named?.toLowerCase() ?? principal.workspaceId;
  if (id === principal.workspaceId) return id;
  if (principal.kind === 'management' && (await workspaces.findById(id)) !== undefined) return id;
  throw new PermissionDenied('workspace_id: this key may not act in that workspace');
}
