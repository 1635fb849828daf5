import * as v from 'valibot';
import { isOverload } from '../../aws/retry.ts';
import type { Principal } from '../../http/call.ts';
import {
  InvalidRequest,
  invalidField,
  invalidKey,
  Overloaded,
  PermissionDenied,
  Unauthenticated,
} from '../../http/errors.ts';
import type { ProviderSecrets } from '../../provider-keys/provider-secrets.ts';
import type { Log } from '../../telemetry/log.ts';
import { actingWorkspace, type ByIdOrSlug, foreignWorkspace } from '../../workspaces/find-workspace.ts';
import { FILE_PROVIDERS } from './file-provider.ts';

/** A request to the function that opens keys. */
const accountKeyRequestSchema = v.object({
  /** The caller's own `Authorization`. Nothing else in the request gives a right to a key. */
  authorization: v.string(),
  /** The workspace whose key is opened; a credential of another workspace does not open it. */
  workspaceId: v.string(),
  provider: v.picklist(FILE_PROVIDERS),
});
type AccountKeyRequest = v.InferOutput<typeof accountKeyRequestSchema>;

/** The function's answer. */
const accountKeyReplySchema = v.variant('outcome', [
  v.object({ outcome: v.literal('opened'), apiKey: v.string() }),
  v.object({ outcome: v.picklist(['none', 'unauthenticated', 'foreign', 'busy']) }),
]);
export type AccountKeyReply = v.InferOutput<typeof accountKeyReplySchema>;

/** The only way to a provider's key for programs that read files: they have no right to decrypt. */
type AskForAccountKey = (request: AccountKeyRequest) => Promise<string>;

/**
 * Asks anew each time; only the function that opens keys may cache them.
 * @param invoke calls the function that opens keys
 * @throws Unauthenticated, PermissionDenied, InvalidRequest, Overloaded
 */
export function askForAccountKey(invoke: (request: AccountKeyRequest) => Promise<unknown>): AskForAccountKey {
  return async (request) => {
    const reply = readReply(await invoke(request));
    if (reply.outcome === 'opened') return reply.apiKey;
    throw refusals[reply.outcome](request);
  };
}

const refusals: Readonly<
  Record<
    Exclude<AccountKeyReply['outcome'], 'opened'>,
    (request: Pick<AccountKeyRequest, 'provider'>) => Error
  >
> = {
  none: ({ provider }) =>
    invalidField(
      'provider',
      `this workspace has no provider key for ${provider} that this request may use; add one with POST /api/v1/byok, or change an existing one with PATCH /api/v1/byok/{id}`,
    ),
  unauthenticated: () => invalidKey(),
  foreign: () => foreignWorkspace(),
  // All routes of files have a 503.
  busy: () => new Overloaded(true),
};

/** An error of the schema's would put the reply, which contains a provider's key, into the log. */
function readReply(reply: unknown): AccountKeyReply {
  const { success, output } = v.safeParse(accountKeyReplySchema, reply);
  if (!success) throw new Error('The function that opens provider keys returned an unknown response');
  return output;
}

export interface OpenKeyPorts {
  /** @throws Unauthenticated */
  readonly authenticate: (authorization: string) => Promise<Principal>;
  readonly workspaces: ByIdOrSlug<{ readonly id: string }>;
  readonly keys: Pick<ProviderSecrets, 'find'>;
  readonly log: Log;
}

/**
 * Opens a workspace's key of one provider, for a credential of that workspace. The request comes from a program that
 * has read a stranger's bytes, so nothing in it is trusted, and the credential is checked as if it had just come in.
 */
export async function openAccountKey(asked: unknown, ports: OpenKeyPorts): Promise<AccountKeyReply> {
  const request = readRequest(asked);
  try {
    const apiKey = await findKey(request, ports);
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
function readRequest(asked: unknown): AccountKeyRequest {
  const { success, output } = v.safeParse(accountKeyRequestSchema, asked);
  if (!success) throw new Error('A request to open a provider key is malformed');
  return output;
}

async function findKey(
  { authorization, workspaceId: named, provider }: AccountKeyRequest,
  { authenticate, workspaces, keys }: OpenKeyPorts,
): Promise<string | undefined> {
  const principal = await authenticate(authorization);
  const workspaceId = await actingWorkspace(principal, named, workspaces);
  return keys.find(workspaceId, provider, { keyHash: principal.keyHash, userId: principal.creator });
}

function refusalFor(error: unknown): Exclude<AccountKeyReply['outcome'], 'opened' | 'none'> | undefined {
  if (error instanceof Unauthenticated) return 'unauthenticated';
  if (error instanceof PermissionDenied || error instanceof InvalidRequest) return 'foreign';
  return isOverload(error) ? 'busy' : undefined;
}
