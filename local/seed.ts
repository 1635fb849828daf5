import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { LocalRunError } from './failure.ts';
import { type StateFolder, writePrivateJson } from './state-folder.ts';

const keysSchema = v.object({ managementKey: v.string(), apiKey: v.string() });
export type SeededKeys = Readonly<v.InferOutput<typeof keysSchema>>;

const createdKeySchema = v.object({ key: v.string() });

/**
 * One management key and one API key, made at the first start and kept for later ones. What the deployment
 * does not know, because its state was lost, is made anew.
 *
 * @param createManagementKey makes the first key of a deployment, which no request can
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

async function areKnown(baseUrl: string, { managementKey, apiKey }: SeededKeys): Promise<boolean> {
  const statuses = await Promise.all([managementKey, apiKey].map((key) => listKeysStatus(baseUrl, key)));
  return statuses.every((status) => status !== 401);
}

/** 200 for a management key, 403 for an API key, 401 for one that the deployment does not know. */
async function listKeysStatus(baseUrl: string, key: string): Promise<number> {
  const response = await fetch(`${baseUrl}/keys`, { headers: { authorization: `Bearer ${key}` } });
  const body = await response.text();
  if (response.status < 500) return response.status;
  throw new LocalRunError(`The deployed API does not work: GET /keys answered ${response.status}.`, {
    output: body,
  });
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
