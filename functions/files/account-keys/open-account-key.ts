import * as v from 'valibot';
import { isOverload } from '../../aws/overload.ts';
import { InvalidRequest, PermissionDenied, Unauthenticated } from '../../http/errors.ts';
import type { Principal } from '../../http/principal.ts';
import type { Log } from '../../log.ts';
import type { ProviderKeys } from '../../provider-keys/provider-keys.ts';
import { actingWorkspace } from '../../workspaces/acting-workspace.ts';
import type { ByIdOrSlug } from '../../workspaces/find-workspace.ts';
import { type KeyReply, type KeyRequest, keyRequestSchema } from './account-key.ts';

export interface OpenKeyPorts {
  /** @throws Unauthenticated */
  readonly authenticate: (authorization: string) => Promise<Principal>;
  readonly workspaces: ByIdOrSlug<{ readonly id: string }>;
  readonly keys: Pick<ProviderKeys, 'find'>;
  readonly log: Log;
}

/**
 * Opens a workspace's key of one provider, for a credential of that workspace. The request comes from a program that
 * has read a stranger's bytes, so nothing in it is trusted, and the credential is checked as if it had just come in.
 */
export async function openAccountKey(asked: unknown, ports: OpenKeyPorts): Promise<KeyReply> {
  const request = readRequest(asked);
  try {
    const apiKey = await find(request, ports);
    return apiKey === undefined ? { outcome: 'none' } : { outcome: 'opened', apiKey };
  } catch (error) {
    const outcome = refusalFor(error);
    if (outcome === undefined) throw error;
    // The calling gate has accepted the caller already. A refusal here is a race, or a program that has been taken
    // over.
    const { provider, workspaceId } = request;
    ports.log.warn('provider key not opened', { outcome, provider, workspace_id: workspaceId, error });
    return { outcome };
  }
}

/** An error of the schema's would put the request, which contains a credential, into the log. */
function readRequest(asked: unknown): KeyRequest {
  const { success, output } = v.safeParse(keyRequestSchema, asked);
  if (!success) throw new Error('A request to open a provider key is malformed');
  return output;
}

async function find(
  { authorization, workspaceId: named, provider }: KeyRequest,
  { authenticate, workspaces, keys }: OpenKeyPorts,
): Promise<string | undefined> {
  const principal = await authenticate(authorization);
  const workspaceId = await actingWorkspace(principal, named, workspaces);
  return keys.find(workspaceId, provider, { keyHash: principal.keyHash, userId: principal.creator });
}

function refusalFor(error: unknown): Exclude<KeyReply['outcome'], 'opened' | 'none'> | undefined {
  if (error instanceof Unauthenticated) return 'unauthenticated';
  if (error instanceof PermissionDenied || error instanceof InvalidRequest) return 'foreign';
  return isOverload(error) ? 'busy' : undefined;
}
