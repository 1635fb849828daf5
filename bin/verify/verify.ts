import { inspect } from 'node:util';
import * as v from 'valibot';
import { CanaryApi, keepFile } from '../../functions/canary/run-canary.ts';
import { type Answer, must, StageCaller } from './stage-caller.ts';

interface VerifyPorts {
  readonly baseUrl: string;
  readonly managementKey: string;
  /** API Gateway's own address, if there is an edge in front of it. */
  readonly back: string | undefined;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Runs the demo with a key. @returns the lines of its report */
  readonly play: (key: string) => Promise<readonly string[]>;
  /** After this nothing more is tried. */
  readonly interrupted: AbortSignal;
}

export interface Result {
  readonly promise: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  /** What was found. */
  readonly text: string;
}

/** Calls a stage as its callers do, in a workspace that it always deletes at the end. A broken promise does not stop the others. */
export async function verify(ports: VerifyPorts, tell: (result: Result) => void): Promise<Result[]> {
  const stage = new StageCaller(ports.baseUrl, ports.fetch);
  const scene = await enterScene(stage, ports.managementKey, ports.now());
  const play = () => ports.play(scene.key);
  const verified: Verified = { stage, key: scene.key, back: ports.back, play };
  const leave = () => scene.leave().then(() => 'the temporary workspace is deleted');
  const results: Result[] = [];
  const keeps = async (promise: string, keep: (verified: Verified) => Promise<string | undefined>) => {
    const result = await tried(promise, () => keep(verified), ports.now);
    tell(result);
    results.push(result);
  };
  for (const [promise, keep] of Object.entries(promises)) {
    if (!ports.interrupted.aborted) await keeps(promise, keep);
  }
  await keeps('deletes the temporary workspace', leave);
  return results;
}

async function tried(
  promise: string,
  keep: () => Promise<string | undefined>,
  now: () => Date,
): Promise<Result> {
  const start = now().getTime();
  const ended = (outcome: Result['outcome'], text: string): Result => {
    return { promise, outcome, milliseconds: now().getTime() - start, text };
  };
  try {
    const text = await keep();
    return text === undefined ? ended('skipped', '') : ended('passed', text);
  } catch (error) {
    return ended('failed', error instanceof Error ? error.message : inspect(error));
  }
}

const workspaceSchema = v.object({ data: v.object({ id: v.string() }) });
const keySchema = v.object({ key: v.string(), data: v.object({ hash: v.string() }) });

const LONGEST_MS = 30 * 60_000;

/** A separate workspace with its own key, so that other data is not affected. */
interface Scene {
  readonly key: string;
  /** Deletes the workspace and its contents. */
  leave(): Promise<void>;
}

/** @throws PromiseBroken, ValiError */
async function enterScene(stage: StageCaller, key: string, now: Date): Promise<Scene> {
  const slug = `verify-${now.getTime().toString(36)}`;
  const json = { name: 'Verification', slug };
  const workspace = await made(stage.call('POST', '/workspaces', { key, json }), workspaceSchema);
  // A key that ends itself can make none that does not.
  const expires_at = new Date(now.getTime() + LONGEST_MS).toISOString();
  const asked = { name: 'Verification', workspace_id: workspace.data.id, expires_at };
  const close = () => removed(stage.call('DELETE', `/workspaces/${workspace.data.id}`, { key }));
  try {
    const issued = await made(stage.call('POST', '/keys', { key, json: asked }), keySchema);
    return {
      key: issued.key,
      leave: async () => {
        await removed(stage.call('DELETE', `/keys/${issued.data.hash}`, { key }));
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function made<const Schema extends v.GenericSchema>(
  answer: Promise<Answer>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const { status, body } = await answer;
  must(
    status === 201,
    `the management key could not create a workspace or a key in it: the status is ${status}`,
  );
  return v.parse(schema, body);
}

async function removed(answer: Promise<Answer>): Promise<void> {
  const { status } = await answer;
  must(status === 200, `the temporary workspace or its key could not be deleted: the status is ${status}`);
}

interface Verified {
  readonly stage: StageCaller;
  /** A key of a workspace that nobody else uses. */
  readonly key: string;
  /** API Gateway's own address, if there is an edge in front of it. */
  readonly back: string | undefined;
  /** Runs the demo. @returns the lines of its report */
  readonly play: () => Promise<readonly string[]>;
}

/** @returns what was found; undefined if this stage, or what is known of it, has nothing to check @throws PromiseBroken */
type Promised = (verified: Verified) => Promise<string | undefined>;

const descriptionSchema = v.object({ openapi: v.string(), info: v.object({ version: v.string() }) });
const fileSchema = v.object({ id: v.string(), mime_type: v.string() });
const modelsSchema = v.object({ data: v.array(v.object({ id: v.string() })) });
const errorSchema = v.object({
  error: v.object({
    code: v.number(),
    message: v.string(),
    metadata: v.object({ error_type: v.string(), path: v.optional(v.string()) }),
  }),
});

const SANDBOX = 'sandbox/clip-1';
/** More than a function can take. */
const LARGE_BYTES = 6 * 1024 * 1024;

/** What callers rely on, in the order of the checks. */
const promises: Readonly<Record<string, Promised>> = {
  'serves its OpenAPI document': async ({ stage }) => {
    const { openapi, info } = v.parse(descriptionSchema, await read(stage, '/openapi.json'));
    must(openapi.startsWith('3.1'), `the document is OpenAPI ${openapi}, not 3.1`);
    return `OpenAPI ${openapi}, document ${info.version}`;
  },
  'refuses requests without a key': async ({ stage }) => {
    const answer = await stage.call('GET', '/files');
    const { message } = refusal(answer, 401);
    // API Gateway renames the header, and only the edge names it back.
    const names = ['www-authenticate', 'x-amzn-remapped-www-authenticate'];
    const how = names.map((name) => answer.headers.get(name)).find((value) => value !== null);
    must(how === 'Bearer', `the www-authenticate header of a 401 is ${how ?? 'missing'}, not Bearer`);
    return message;
  },
  'refuses unknown paths and methods': async ({ stage, key }) => {
    refusal(await stage.call('GET', '/no-such-path', { key }), 404);
    const answer = await stage.call('PATCH', '/files', { key });
    refusal(answer, 405);
    const allowed = answer.headers.get('allow') ?? '';
    must(allowed.includes('POST'), `the allow header of a 405 lacks POST; it is "${allowed}"`);
    return `404, and 405 with the header allow: ${allowed}`;
  },
  'sends the security headers and x-request-id': async ({ stage, key }) => {
    const { headers } = await stage.call('GET', '/key', { key });
    const wanted = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    for (const [name, value] of Object.entries(wanted)) {
      must(headers.get(name) === value, `${name} is ${headers.get(name) ?? 'missing'}, not ${value}`);
    }
    must(headers.has('strict-transport-security'), 'strict-transport-security is missing');
    const id = headers.get('x-request-id');
    must(id !== null, 'x-request-id is missing');
    return `x-request-id ${id}`;
  },
  'refuses requests that bypass the edge': async ({ back, stage }) => {
    if (back === undefined) return undefined;
    const { status } = await stage.fetch(`${back}/videos/models`);
    must(status === 403, `API Gateway’s own URL returns ${status}, not 403`);
    return 'API Gateway’s own URL returns 403';
  },
  'stores a file': async ({ stage: { baseUrl, fetch }, key }) => {
    await keepFile(new CanaryApi({ baseUrl, fetch, key }));
    return 'uploaded, read back, deleted';
  },
  'accepts a large file, or states its limit': async ({ stage, key }) => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['A long line of text.\n'.repeat(Math.ceil(LARGE_BYTES / 21))]),
      'large.txt',
    );
    const answer = await stage.call('POST', '/files', { key, form });
    if (answer.status === 413) return refusal(answer, 413).message;
    must(answer.status === 200, `the status of an upload of 6 MiB is ${answer.status}, not 200 or 413`);
    const { mime_type: type } = v.parse(fileSchema, answer.body);
    must(type === 'text/plain', `the file is ${type}, not text/plain`);
    return '6 MiB, recognized as text/plain';
  },
  'explains an invalid field': async ({ stage, key }) => {
    const [model] = await modelsOf(stage);
    if (model === undefined) return undefined;
    const json = { model, prompt: 'A red fox', duration: 9_999 };
    const { message, metadata } = refusal(await stage.call('POST', '/videos', { key, json }), 400);
    must(
      metadata.path === 'duration',
      `metadata.path of the error should be duration, but is ${metadata.path ?? 'missing'}`,
    );
    return message;
  },
  'completes the demo': async ({ stage, play }) => {
    if (!(await modelsOf(stage)).includes(SANDBOX)) return undefined;
    return (await play()).join('; ');
  },
};

async function modelsOf(stage: StageCaller): Promise<string[]> {
  const { data } = v.parse(modelsSchema, await read(stage, '/videos/models'));
  return data.map(({ id }) => id);
}

async function read(stage: StageCaller, path: string): Promise<unknown> {
  const { status, body } = await stage.call('GET', path);
  must(status === 200, `GET ${path} returned ${status}, not 200`);
  return body;
}

/** Checks that an error has the same form as all errors. */
function refusal({ status, body }: Answer, expected: number) {
  must(status === expected, `the status is ${status}, not ${expected}`);
  const { error } = v.parse(errorSchema, body);
  must(error.code === status, `the body says ${error.code}, but the status is ${status}`);
  return error;
}
