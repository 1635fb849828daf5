import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { refusedBy, transact } from '../aws/dynamo-writes.ts';
import { retryOnConflict } from '../aws/retry.ts';
import { InvalidRequest, invalidField, NotFound } from '../http/errors.ts';
import { type NamingKeyPorts, namingKeys } from '../keys/find-key.ts';
import { KEY_HASH } from '../keys/key-format.ts';
import {
  GuardrailMissing,
  type NameableGuardrails,
  namedGuardrail,
  WorkspaceMissing,
} from '../keys/key-lives.ts';
import { assertMayManage, type KeyManager, type Maker, maySee } from '../keys/key-scope.ts';
import { type KeyStore, placeIn, type StoredKey } from '../keys/key-store.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { type Assignment, describeAssignment } from './assignment.ts';
import { type FindGuardrailPorts, findGuardrail } from './find-guardrail.ts';
import type { Guardrail } from './guardrail.ts';

/**
 * A page of the keys that name a guardrail, oldest first, as far as the caller may see them.
 * @param only the guardrail whose keys are asked for @default all guardrails
 */
export async function listAssignments(
  caller: Maker,
  only: Pick<Guardrail, 'id' | 'workspace_id'> | undefined,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  ports: NamingKeyPorts,
): Promise<{ data: Assignment[]; total_count: number }> {
  // While keys are deleted, a page may show some keys again.
  const found = new Map<string, StoredKey>();
  for await (const key of namingKeys(only?.workspace_id, ports)) {
    const isAsked = only === undefined || key.guardrail_id === only.id;
    if (isAsked && maySee(caller, key)) found.set(key.hash, key);
  }
  const inOrder = [...found.values()].toSorted((a, b) => (placeIn(a) < placeIn(b) ? -1 : 1));
  const data = inOrder
    .slice(offset, offset + limit)
    .flatMap((key) => (key.guardrail_id === null ? [] : describeAssignment(key, key.guardrail_id)));
  return { data, total_count: inOrder.length };
}

export type AssignPorts = NameTogetherPorts &
  FindGuardrailPorts & { readonly keys: Pick<KeyStore, 'change' | 'read'> };

/**
 * Lets keys go by a guardrail of their workspace, or no longer by it, all or none.
 * @returns the keys as they were; those that do not go by it are left out when they are released
 * @throws NotFound, PermissionDenied, InvalidRequest
 */
export async function assignKeys(
  caller: KeyManager,
  { guardrailId, hashes, release = false }: AskedAssignment,
  ports: AssignPorts,
): Promise<readonly StoredKey[]> {
  const guardrail = await findGuardrail(caller, guardrailId, ports);
  const read = async () => {
    const keys = await manageableKeys(caller, guardrail, hashes, ports.keys);
    return release ? keys.filter(({ guardrail_id }) => guardrail_id === guardrail.id) : keys;
  };
  try {
    return await nameTogether(release ? null : guardrail.id, read, ports);
  } catch (cause) {
    if (cause instanceof WorkspaceMissing) {
      throw new InvalidRequest('The workspace of the keys has been deleted', { cause });
    }
    if (cause instanceof GuardrailMissing) throw new NotFound('No such guardrail', { cause });
    throw cause;
  }
}

interface AskedAssignment {
  readonly guardrailId: string;
  readonly hashes: readonly string[];
  readonly release?: boolean;
}

/** Every key that is asked for, once, if the caller may change them all. */
async function manageableKeys(
  caller: KeyManager,
  { workspace_id }: Guardrail,
  hashes: readonly string[],
  keys: Pick<KeyStore, 'read'>,
): Promise<StoredKey[]> {
  const read = await keys.read([...new Set(hashes)].filter((hash) => KEY_HASH.test(hash)));
  const byHash = new Map(read.map((key) => [key.hash, key]));
  const found = hashes.map((hash, index) => {
    const key = byHash.get(hash);
    if (key !== undefined && maySee(caller, key)) return { key, index };
    throw new NotFound(`key_hashes.${index}: no such key`, { metadata: { path: `key_hashes.${index}` } });
  });
  for (const { key, index } of found) {
    await assertMayManage(caller, key.hash, async () => key);
    if (key.workspace_id !== workspace_id) {
      throw invalidField(`key_hashes.${index}`, 'does not belong to the workspace of the guardrail');
    }
  }
  return [...new Set(found.map(({ key }) => key))];
}

interface NameTogetherPorts {
  readonly client: DynamoDBDocumentClient;
  readonly keys: Pick<KeyStore, 'change'>;
  readonly workspaces: Pick<WorkspaceStore, 'countKeys'>;
  readonly guardrails: NameableGuardrails;
  readonly now: () => Date;
}

/** An attempt fails when one of the keys, or which of them there are, changed after they were read. */
const ATTEMPTS = 10;

/**
 * Lets keys of one workspace name a guardrail of it, or none: all of them or, where one has changed, none.
 * @param read the keys as they are now; it refuses those that may not be changed
 * @returns the keys as they were
 * @throws WorkspaceMissing, GuardrailMissing
 */
function nameTogether(
  guardrailId: string | null,
  read: () => Promise<readonly StoredKey[]>,
  { client, keys, workspaces, guardrails, now }: NameTogetherPorts,
): Promise<readonly StoredKey[]> {
  const attempt = async () => {
    const found = await read();
    const [first] = found;
    if (first === undefined) return found;
    const change = { guardrail_id: guardrailId };
    try {
      await transact(client, {
        key: found.map((key) => keys.change(key.hash, change, key, now())),
        // Whoever is about to delete the workspace looks at its keys again.
        workspace: workspaces.countKeys(first.workspace_id, 0),
        guardrail: namedGuardrail({ ...first, ...change }, guardrails),
      });
      return found;
    } catch (cause) {
      if (refusedBy(cause, 'guardrail')) throw new GuardrailMissing('of the keys', { cause });
      if (refusedBy(cause, 'workspace')) throw new WorkspaceMissing(first.workspace_id, { cause });
      if (refusedBy(cause, 'key')) return undefined;
      throw cause;
    }
  };
  const exhausted = () =>
    new Error(`the keys changed during each of ${ATTEMPTS} attempts to set their guardrail`);
  return retryOnConflict(ATTEMPTS, attempt, exhausted);
}
