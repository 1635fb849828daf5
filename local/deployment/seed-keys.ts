import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { GuardrailStore } from '../../functions/guardrails/guardrail-store.ts';
import { createManagementKey } from '../../functions/keys/create-key.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { ListStore } from '../../functions/lists/list-store.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { LocalRunError } from '../system/failure.ts';
import { type StateFolder, writePrivateJson } from '../system/state-folder.ts';
import type { StackOutputs } from './deploy.ts';

const keysSchema = v.object({ managementKey: v.string(), apiKey: v.string() });
export type SeededKeys = Readonly<v.InferOutput<typeof keysSchema>>;

const createdKeySchema = v.object({ key: v.string() });
const keyListSchema = v.object({ data: v.array(v.object({ hash: v.string() })) });

/**
 * Creates one management key and one API key at the first start, and keeps them for later starts. If the deployment
 * has lost its state and does not know them, creates new ones.
 *
 * @param createManagementKey creates the first key of a deployment, because no request can
 */
export async function seedKeys(
  state: StateFolder,
  baseUrl: string,
  createManagementKey: () => Promise<string>,
): Promise<SeededKeys> {
  const kept = await readKeys(state.keysFile);
  if (kept !== undefined && (await areKnown(baseUrl, kept))) return kept;
  const managementKey = await createManagementKey();
  const keys = { managementKey, apiKey: await createApiKey(baseUrl, managementKey) };
  await writePrivateJson(state.keysFile, keys);
  return keys;
}

async function readKeys(path: string): Promise<SeededKeys | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const keys = v.safeParse(v.pipe(v.string(), v.parseJson(), keysSchema), text);
  return keys.success ? keys.output : undefined;
}

/** The list begins with the oldest key, so a deployment's first two keys are on its first page. */
async function areKnown(baseUrl: string, { managementKey, apiKey }: SeededKeys): Promise<boolean> {
  const response = await fetch(`${baseUrl}/keys`, { headers: { authorization: `Bearer ${managementKey}` } });
  const output = await response.text();
  if (response.status === 401) return false;
  if (response.status !== 200) {
    throw new LocalRunError(`The deployed API does not work: GET /keys answered ${response.status}.`, {
      output,
    });
  }
  const known = new Set(v.parse(keyListSchema, JSON.parse(output)).data.map(({ hash }) => hash));
  return [managementKey, apiKey].every((key) => known.has(hashKey(key)));
}

async function createApiKey(baseUrl: string, managementKey: string): Promise<string> {
  const response = await fetch(`${baseUrl}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${managementKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Local API key' }),
  });
  const output = await response.text();
  if (response.status !== 201) {
    throw new LocalRunError(`The deployed API does not work: POST /keys answered ${response.status}.`, {
      output,
    });
  }
  return v.parse(createdKeySchema, JSON.parse(output)).key;
}

/** Creates the first management key of the deployment, in the same way as `npm run admin`. */
export async function createFirstKey(access: AwsAccess, outputs: StackOutputs, now: Date): Promise<string> {
  const client = new DynamoDBClient({ ...access });
  const dynamo = DynamoDBDocumentClient.from(client);
  const stores = {
    keys: new KeyStore(dynamo, outputs.KeysTable),
    accounts: new AccountStore(dynamo, outputs.AccountsTable),
    workspaces: new WorkspaceStore(dynamo, outputs.WorkspacesTable),
    guardrails: new GuardrailStore(dynamo, outputs.GuardrailsTable),
    lists: new ListStore(dynamo, outputs.ListsTable, randomUUID),
  };
  try {
    return await createManagementKey(stores, 'Local management key', now);
  } finally {
    client.destroy();
  }
}
