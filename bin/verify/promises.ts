import * as v from 'valibot';
import { CanaryApi } from '../../functions/canary/canary-api.ts';
import { keepFile } from '../../functions/canary/run-canary.ts';
import { type Answer, must, type StageCaller } from './stage-caller.ts';

export interface Verified {
  readonly stage: StageCaller;
  /** Of a workspace that nothing else is in. */
  readonly key: string;
  /** API Gateway's own address, where an edge stands before it. */
  readonly back: string | undefined;
  /** Plays the demo, and gives its lines. */
  readonly play: () => Promise<readonly string[]>;
}

/** What was found; undefined where the stage does not offer what it would take. @throws PromiseBroken */
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
/** More than a function takes. */
const LARGE_BYTES = 6 * 1024 * 1024;

/** What callers count on, in the order in which it is tried. */
export const promises: Readonly<Record<string, Promised>> = {
  'describes itself': async ({ stage }) => {
    const { openapi, info } = v.parse(descriptionSchema, (await stage.call('GET', '/openapi.json')).body);
    must(openapi.startsWith('3.1'), `the description is OpenAPI ${openapi}, not 3.1`);
    return `OpenAPI ${openapi}, document ${info.version}`;
  },
  'asks for a key': async ({ stage }) => {
    const answer = await stage.call('GET', '/files');
    const { headers } = answer;
    must(headers.get('www-authenticate') === 'Bearer', 'a 401 does not say how to authenticate');
    return refusal(answer, 401).message;
  },
  'knows its paths and methods': async ({ stage, key }) => {
    refusal(await stage.call('GET', '/no-such-path', { key }), 404);
    const answer = await stage.call('PATCH', '/files', { key });
    refusal(answer, 405);
    const allowed = answer.headers.get('allow') ?? '';
    must(allowed.includes('POST'), `a 405 does not say what is allowed, but "${allowed}"`);
    return `404, and 405 with ${allowed}`;
  },
  'marks every answer': async ({ stage, key }) => {
    const { headers } = await stage.call('GET', '/key', { key });
    const wanted = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    for (const [name, value] of Object.entries(wanted)) {
      must(headers.get(name) === value, `${name} is ${headers.get(name)}, not ${value}`);
    }
    must(headers.has('strict-transport-security'), 'strict-transport-security is missing');
    const id = headers.get('x-request-id');
    must(id !== null, 'x-request-id is missing');
    return `x-request-id ${id}`;
  },
  'has one door': async ({ back, stage }) => {
    if (back === undefined) return undefined;
    const { status } = await stage.fetch(`${back}/videos/models`);
    must(status === 403, `what is behind the edge answers ${status} to everybody, not 403`);
    return 'API Gateway’s own address is refused';
  },
  'keeps a file': async ({ stage: { baseUrl, fetch }, key }) => {
    await keepFile(new CanaryApi({ baseUrl, fetch, key }));
    return 'uploaded, read back, deleted';
  },
  'takes a large file, or says what it takes': async ({ stage, key }) => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['A long line of text.\n'.repeat(Math.ceil(LARGE_BYTES / 21))]),
      'large.txt',
    );
    const answer = await stage.call('POST', '/files', { key, form });
    if (answer.status === 413) return refusal(answer, 413).message;
    must(answer.status === 200, `an upload of 6 MiB answered ${answer.status}`);
    const { mime_type: type } = v.parse(fileSchema, answer.body);
    must(type === 'text/plain', `the file is ${type}, not text/plain`);
    return '6 MiB, recognised as text/plain';
  },
  'says what would be right': async ({ stage, key }) => {
    const [model] = await modelsOf(stage);
    if (model === undefined) return undefined;
    const json = { model, prompt: 'A red fox', duration: 9_999 };
    const { message, metadata } = refusal(await stage.call('POST', '/videos', { key, json }), 400);
    must(metadata.path === 'duration', `the refusal is about ${metadata.path}, not about duration`);
    return message;
  },
  'plays the demo': async ({ stage, play }) => {
    if (!(await modelsOf(stage)).includes(SANDBOX)) return undefined;
    return (await play()).join('; ');
  },
};

async function modelsOf(stage: StageCaller): Promise<string[]> {
  const { data } = v.parse(modelsSchema, (await stage.call('GET', '/videos/models')).body);
  return data.map(({ id }) => id);
}

/** An error as all of them are. */
function refusal({ status, body }: Answer, expected: number) {
  must(status === expected, `answered ${status}, not ${expected}`);
  const { error } = v.parse(errorSchema, body);
  must(error.code === status, `the body says ${error.code}, and the status ${status}`);
  return error;
}
