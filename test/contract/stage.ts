import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, jest } from '@jest/globals';
import * as v from 'valibot';
import { checkExchanges } from './checked-exchanges.ts';

// Functions start cold, on as few cores as there are; nothing here is a measurement.
jest.setTimeout(60_000);

const stageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    baseUrl: v.string(),
    managementKey: v.string(),
    apiKey: v.string(),
    /** What is behind that address. */
    origins: v.object({ emulator: v.string(), apiId: v.string(), uploads: v.string() }),
    /** By which the stage's own edge proves itself to what is behind it. */
    edgeSecret: v.string(),
    /** The file of the template that is deployed. */
    template: v.string(),
    /** The emulator's AWS, as its root. */
    aws: v.object({
      endpoint: v.string(),
      region: v.string(),
      credentials: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
    }),
    /** Every line that functions have written so far, but for the last moment's. */
    logFile: v.string(),
    /** The file of the API's description, as of this checkout. */
    description: v.string(),
    uploadEnvironment: v.object({ FILES_TABLE: v.string(), FILES_BUCKET: v.string() }),
  }),
);

/** The stage that the run's set-up has deployed. */
export const stage = v.parse(stageSchema, process.env.GENWAY_CONTRACT_STAGE);

/** For commands that a test starts: they are the same ones many times, and half of what each costs is to compile it. */
export const compiledOnce = { NODE_COMPILE_CACHE: join(dirname(stage.logFile), 'compiled') };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and assert what they find
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit['body']>;
  /** A row that nothing of ours wrote is shown as far as it can be read. */
  readonly describes?: 'a broken row';
}

const description = JSON.parse(readFileSync(stage.description, 'utf8'));
const { unchecked, judge } = checkExchanges(stage.baseUrl, description);
afterEach(judge);
afterAll(judge);

/** One request as a caller sends it; redirects are answers here. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { key, json } = options;
  const body = json === undefined ? options.body : JSON.stringify(json);
  const send = options.describes === 'a broken row' ? unchecked : fetch;
  const response = await send(`${stage.baseUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.startsWith('application/json');
  const { status, headers } = response;
  return { status, headers, body: isJson ? JSON.parse(text) : text };
}

/** A workspace and an API key that no other test knows. */
export async function newWorkspace(): Promise<{ id: string; slug: string; key: string }> {
  const slug = `t-${crypto.randomUUID()}`;
  const created = await call('POST', '/workspaces', {
    key: stage.managementKey,
    json: { name: 'Test', slug },
  });
  const id: string = created.body.data.id;
  const issued = await call('POST', '/keys', {
    key: stage.managementKey,
    json: { name: 'Test', workspace_id: id },
  });
  return { id, slug, key: issued.body.key };
}

export function form(
  content: ConstructorParameters<typeof Blob>[0] extends Iterable<infer Part> | undefined ? Part : never,
  filename = 'file.txt',
): FormData {
  const data = new FormData();
  data.append('file', new Blob([content]), filename);
  return data;
}
