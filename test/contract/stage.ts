import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';
import * as v from 'valibot';
import { checkExchanges } from './checked-exchanges.ts';

const stageSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    baseUrl: v.string(),
    managementKey: v.string(),
    apiKey: v.string(),
    /** The servers behind `baseUrl`. */
    origins: v.object({ emulator: v.string(), apiId: v.string(), uploads: v.string() }),
    /** The secret by which the stage's edge proves itself to the servers behind it. */
    edgeSecret: v.string(),
    /** The path of the deployed template. */
    template: v.string(),
    /** The emulator's AWS, with root's credentials. */
    aws: v.object({
      endpoint: v.string(),
      region: v.string(),
      credentials: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
    }),
    /** The file with the functions' log lines. The newest lines may be missing. */
    logFile: v.string(),
    /** The path of the API's description, built from this checkout. */
    description: v.string(),
    uploadEnvironment: v.object({ FILES_TABLE: v.string(), FILES_BUCKET: v.string() }),
  }),
);

/** The stage that the run's set-up has deployed. */
export const stage = v.parse(stageSchema, process.env.GENWAY_CONTRACT_STAGE);

/** For commands that tests start. Compiling takes half of their time, so they share one cache. */
export const compiledOnce = { NODE_COMPILE_CACHE: join(dirname(stage.logFile), 'compiled') };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and assert what they find
  readonly body: any;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly json?: unknown;
  readonly body?: NonNullable<RequestInit['body']>;
  /** Marks a row that Genway never writes. The answer shows it as far as it can be read. */
  readonly describes?: 'a broken row';
}

const description = JSON.parse(readFileSync(stage.description, 'utf8'));
const { unchecked, judge } = checkExchanges(stage.baseUrl, description);
afterEach(judge);
afterAll(judge);

/** Sends one request like a caller. Redirects are not followed. */
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

/** A new workspace and an API key for it. */
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
  name = 'file',
): FormData {
  const data = new FormData();
  data.append(name, new Blob([content]), filename);
  return data;
}
