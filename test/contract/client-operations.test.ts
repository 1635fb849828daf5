import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import { pythonPackages } from '../python/packages.ts';
import { stage } from './stage.ts';
import { endedVideo } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = join(ROOT, 'docs/clients.md');
const { baseUrl, managementKey: apiKey } = stage;
const MINUTE = 60_000;

/** What earlier calls have made, by kind. */
type Things = Record<string, string>;

/** What is kept of answers. Clients that do not know the shape of a file have its fields in `raw`. */
interface Made {
  readonly id: string;
  readonly raw?: { readonly id: string };
  readonly data: { readonly id: string; readonly hash: string };
  readonly generationId?: string;
  readonly generation_id?: string;
}

interface Refusal {
  readonly status: number;
  readonly decision: string;
}

interface Row {
  /** The values that the client takes by their place. */
  readonly args?: (things: Things) => readonly (string | object)[];
  /** The others by name, in TypeScript's order: bodies under a name that ends in `Request` or `requestBody`. */
  readonly fields?: (things: Things) => object;
  readonly keeps?: (answer: Made, things: Things) => void;
  /** The status with which it is refused, and the decision by which. */
  readonly refused?: Refusal;
  /** The status of the error by which it holds: the reference answers the same. */
  readonly fails?: number;
  /** What differs in Python. */
  readonly inPython?: Row;
}

const OF_OPENROUTER = [
  ...['api_keys', 'byok', 'credits', 'files', 'generations', 'guardrails'],
  ...['observability', 'video_generation', 'workspaces', 'models', 'endpoints', 'providers', 'analytics'],
];
const RESOURCES: readonly string[] = [
  ...OF_OPENROUTER.map((each) => `openrouter.${each}`),
  ...['files', 'uploads', 'uploads.parts', 'videos'].map((each) => `openai.${each}`),
  ...['files', 'beta.files'].map((each) => `anthropic.${each}`),
];

const NOT_HERE: Refusal = { status: 404, decision: '023-what-callers-do-not-get' };
const NO_CHARACTERS: Refusal = { status: 404, decision: '029-openai-videos' };
/** A file that is there, for the client that reads it by its path. */
const PATH = join(import.meta.dirname, '../../LICENSE');
/** Text under a name. */
const FILE = { $file: ['note.txt', 'A note'] };
const ONE_MODEL: Row = { fields: () => ({ author: 'sandbox', slug: 'clip-1' }) };
const VIDEO = { model: 'sandbox/clip-1', prompt: 'A fox' };
const FREE = { provider: { options: { sandbox: { latency_s: 0 } } } };
const byId = (kind: string): Pick<Row, 'fields'> => ({ fields: (things) => ({ id: things[kind] }) });
const byPlace = (kind: string): Pick<Row, 'args'> => ({ args: (things) => [things[kind] ?? ''] });
const members = (body: string): Row => ({
  refused: NOT_HERE,
  fields: ({ workspace }) => ({ id: workspace, [body]: { userIds: ['u'] } }),
});
const assigned = (body: string): Row => ({
  fields: ({ guardrail, key }) => ({ id: guardrail, [body]: { keyHashes: [key] } }),
});
const assignedMembers = (body: string): Row => ({
  refused: NOT_HERE,
  fields: ({ guardrail }) => ({ id: guardrail, [body]: { memberUserIds: ['u'] } }),
});
const budget = (fields: object = {}): Row => ({
  fields: ({ workspace }) => ({ workspaceRef: workspace, interval: 'monthly', ...fields }),
});

/** In the order in which they are called: what makes a thing comes first, and what deletes it last. */
const OPENROUTER: Readonly<Record<string, Row>> = {
  'workspaces.create': {
    fields: ({ name }) => ({ createWorkspaceRequest: { name: 'Client', slug: name } }),
    keeps: ({ data }, things) => Object.assign(things, { workspace: data.id }),
  },
  'workspaces.list': {},
  'workspaces.get': byId('workspace'),
  'workspaces.update': {
    fields: ({ workspace }) => ({ id: workspace, updateWorkspaceRequest: { description: 'Ours' } }),
  },
  'workspaces.set_budget': budget({ upsertWorkspaceBudgetRequest: { limitUsd: 5 } }),
  'workspaces.get_budget': budget(),
  'workspaces.list_budgets': { fields: ({ workspace }) => ({ workspaceRef: workspace }) },
  'workspaces.delete_budget': budget(),
  'workspaces.list_members': { ...byId('workspace'), refused: NOT_HERE },
  'workspaces.bulk_add_members': members('bulkAddWorkspaceMembersRequest'),
  'workspaces.bulk_remove_members': members('bulkRemoveWorkspaceMembersRequest'),
  'api_keys.create': {
    fields: ({ workspace }) => ({ requestBody: { name: 'Client', workspaceId: workspace } }),
    keeps: ({ data }, things) => Object.assign(things, { key: data.hash }),
  },
  'api_keys.list': {},
  'api_keys.get': { fields: ({ key }) => ({ hash: key }) },
  'api_keys.get_current_key_metadata': {},
  'guardrails.create': {
    fields: ({ workspace }) => ({ createGuardrailRequest: { name: 'Client', workspaceId: workspace } }),
    keeps: ({ data }, things) => Object.assign(things, { guardrail: data.id }),
  },
  'guardrails.list': { fields: ({ workspace }) => ({ workspaceId: workspace }) },
  'guardrails.get': byId('guardrail'),
  'guardrails.update': {
    fields: ({ guardrail }) => ({ id: guardrail, updateGuardrailRequest: { limitUsd: 9 } }),
  },
  'guardrails.bulk_assign_keys': assigned('bulkAssignKeysRequest'),
  'guardrails.list_guardrail_key_assignments': byId('guardrail'),
  'guardrails.list_key_assignments': {},
  'guardrails.bulk_unassign_keys': assigned('bulkUnassignKeysRequest'),
  'guardrails.bulk_assign_members': assignedMembers('bulkAssignMembersRequest'),
  'guardrails.bulk_unassign_members': assignedMembers('bulkUnassignMembersRequest'),
  'guardrails.list_guardrail_member_assignments': { ...byId('guardrail'), refused: NOT_HERE },
  'guardrails.list_member_assignments': { refused: NOT_HERE },
  'guardrails.delete': byId('guardrail'),
  'byok.create': {
    fields: ({ workspace }) => ({
      createBYOKKeyRequest: { provider: 'openai', key: 'sk-client-client', workspaceId: workspace },
    }),
    keeps: ({ data }, things) => Object.assign(things, { providerKey: data.id }),
  },
  'byok.list': { fields: ({ workspace }) => ({ workspaceId: workspace }) },
  'byok.get': byId('providerKey'),
  'byok.update': {
    fields: ({ providerKey }) => ({ id: providerKey, updateBYOKKeyRequest: { declaredRegion: 'europe' } }),
  },
  'byok.delete': byId('providerKey'),
  'credits.get_credits': {},
  'files.upload': {
    fields: () => ({ requestBody: { file: FILE } }),
    keeps: (answer, things) => Object.assign(things, { file: answer.raw?.id ?? answer.id }),
  },
  'files.list': {},
  'files.retrieve': { fields: ({ file }) => ({ fileId: file }) },
  'files.download': { fields: ({ file }) => ({ fileId: file }) },
  'files.delete': { fields: ({ file }) => ({ fileId: file }) },
  'video_generation.list_videos_models': {},
  'video_generation.generate': {
    fields: () => ({ videoGenerationRequest: { ...VIDEO, duration: 1, ...FREE } }),
    keeps: ({ id }, things) => Object.assign(things, { video: id }),
  },
  'video_generation.get_generation': {
    fields: ({ video }) => ({ jobId: video }),
    keeps: (answer, things) =>
      Object.assign(things, { generation: answer.generationId ?? answer.generation_id }),
  },
  'video_generation.get_video_content': { fields: ({ video }) => ({ jobId: video }) },
  'generations.get_generation': byId('generation'),
  // Nothing is logged of it.
  'generations.list_generation_content': { ...byId('generation'), fails: 404 },
  'generations.submit_feedback': {
    refused: NOT_HERE,
    fields: ({ generation }) => ({
      submitGenerationFeedbackRequest: { generationId: generation, category: 'latency', comment: 'x' },
    }),
  },
  'observability.create': {
    fields: ({ workspace }) => ({
      createObservabilityDestinationRequest: {
        type: 'otel-collector',
        name: 'Ours',
        workspaceId: workspace,
        config: { endpoint: 'https://traces.genway.dev/v1/traces' },
      },
    }),
    keeps: ({ data }, things) => Object.assign(things, { destination: data.id }),
  },
  'models.list': {},
  'models.count': {},
  'models.get': ONE_MODEL,
  'models.list_for_user': {
    args: () => [{ bearer: apiKey }],
    inPython: { fields: () => ({ security: { bearer: apiKey } }) },
  },
  'endpoints.list': ONE_MODEL,
  'endpoints.list_zdr_endpoints': {},
  'providers.list': {},
  'analytics.get_user_activity': {},
  'analytics.get_analytics_meta': {},
  'analytics.query_analytics': {
    fields: () => ({ requestBody: { metrics: ['request_count'], dimensions: ['model'] } }),
  },
  'observability.list': { fields: ({ workspace }) => ({ workspaceId: workspace }) },
  'observability.get': byId('destination'),
  'observability.update': {
    fields: ({ destination }) => ({
      id: destination,
      updateObservabilityDestinationRequest: { enabled: false },
    }),
  },
  'observability.delete': byId('destination'),
  'api_keys.update': {
    fields: ({ key }) => ({ hash: key, requestBody: { workspaceId: 'default', disabled: true } }),
  },
  'api_keys.delete': { fields: ({ key }) => ({ hash: key }) },
  'workspaces.delete': byId('workspace'),
};

/** Python's client sends a file alone here, and no id. */
const UPLOADED: Row = { refused: { ...NO_CHARACTERS, status: 400 } };

const OPENAI: Readonly<Record<string, Row>> = {
  'files.create': {
    fields: () => ({ file: FILE, purpose: 'user_data' }),
    keeps: ({ id }, things) => Object.assign(things, { file: id }),
  },
  'files.list': {},
  'files.retrieve': byPlace('file'),
  'files.content': byPlace('file'),
  'files.retrieve_content': byPlace('file'),
  'files.wait_for_processing': byPlace('file'),
  'files.delete': byPlace('file'),
  'uploads.create': {
    fields: () => ({ bytes: 6, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' }),
    keeps: ({ id }, things) => Object.assign(things, { upload: id }),
  },
  'uploads.parts.create': {
    ...byPlace('upload'),
    fields: () => ({ data: FILE }),
    keeps: ({ id }, things) => Object.assign(things, { part: id }),
  },
  'uploads.complete': { ...byPlace('upload'), fields: ({ part }) => ({ part_ids: [part] }) },
  // It is complete.
  'uploads.cancel': { ...byPlace('upload'), fails: 400 },
  'uploads.upload_file_chunked': {
    fields: () => ({ file: PATH, mime_type: 'text/plain', purpose: 'user_data' }),
  },
  'videos.create': {
    fields: () => ({ ...VIDEO, seconds: '1' }),
    keeps: ({ id }, things) => Object.assign(things, { video: id }),
  },
  'videos.create_and_poll': { fields: () => ({ ...VIDEO, seconds: '1' }) },
  'videos.list': {},
  'videos.retrieve': byPlace('video'),
  'videos.poll': byPlace('video'),
  'videos.download_content': byPlace('video'),
  'videos.remix': { ...byPlace('video'), fields: () => ({ prompt: 'A hare' }) },
  'videos.edit': {
    fields: ({ video }) => ({ video: { id: video }, prompt: 'A hare' }),
    inPython: { ...UPLOADED, fields: () => ({ video: FILE, prompt: 'A hare' }) },
  },
  'videos.extend': {
    fields: ({ video }) => ({ video: { id: video }, prompt: 'A hare', seconds: '1' }),
    inPython: { ...UPLOADED, fields: () => ({ video: FILE, prompt: 'A hare', seconds: '1' }) },
  },
  'videos.create_character': {
    refused: { ...NO_CHARACTERS, status: 405 },
    fields: () => ({ name: 'Fox', video: FILE }),
  },
  'videos.get_character': { refused: NO_CHARACTERS, args: () => ['char_1'] },
  'videos.delete': byPlace('video'),
};

const FILES_OF_ANTHROPIC: Readonly<Record<string, Row>> = {
  upload: {
    fields: () => ({ file: FILE }),
    keeps: ({ id }, things) => Object.assign(things, { file: id }),
  },
  list: {},
  retrieve_metadata: byPlace('file'),
  download: byPlace('file'),
  delete: byPlace('file'),
};
const under = (prefix: string, rows: Readonly<Record<string, Row>>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}.${name}`, row]));

const ROWS: Readonly<Record<string, Row>> = {
  ...under('openrouter', OPENROUTER),
  ...under('openai', OPENAI),
  ...under('anthropic.files', FILES_OF_ANTHROPIC),
  ...under('anthropic.beta.files', FILES_OF_ANTHROPIC),
};

interface Told {
  readonly answer?: unknown;
  readonly error?: string;
  readonly status?: number | null;
}
/** Calls operations of the official clients of a language. Names are written as in Python: `files.wait_for_processing`. */
interface Clients {
  operations(resource: string): Promise<readonly string[]>;
  call(name: string, args: readonly (string | object)[], fields: object): Promise<Told>;
}

const camel = (text: string) => text.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const snake = (text: string) => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const published: Readonly<Record<string, unknown>> = {
  openrouter: new OpenRouter({ serverURL: baseUrl, apiKey, retryConfig: { strategy: 'none' } }),
  openai: new OpenAI({ baseURL: baseUrl, apiKey, maxRetries: 0 }),
  anthropic: new Anthropic({ baseURL: baseUrl.replace(/\/v1$/, ''), apiKey, maxRetries: 0 }),
};
const at = (path: string): object =>
  path.split('.').reduce<object>((found, part) => Reflect.get(found, camel(part)), published);

/** A file is text under a name. */
function given(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return value;
  if ('$file' in value) {
    const [name, content] = value.$file as [string, string];
    return new File([content], name, { type: 'text/plain' });
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, given(each)]));
}

const typescript: Clients = {
  async operations(resource) {
    const prototype = Object.getPrototypeOf(at(resource));
    const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
    return names.map((name) => `${resource}.${snake(name)}`);
  },
  async call(name, args, fields) {
    const [, ...path] = name.split('.');
    const resource = at(name.split('.').slice(0, -1).join('.'));
    const method = camel(path.at(-1) ?? '');
    const some = Object.keys(fields).length > 0 ? [given(fields)] : [];
    try {
      const answer = await Reflect.get(resource, method).call(resource, ...args, ...some);
      return { answer: answer?.result ?? answer };
    } catch (error) {
      const { statusCode, status = statusCode } = error as { status?: number; statusCode?: number };
      return { error: String(error), status: status ?? null };
    }
  },
};

let python: Clients;
let program: ChildProcessWithoutNullStreams;
beforeAll(async () => {
  const programs = await pythonPackages('sdks.txt');
  const env = { ...process.env, GENWAY_URL: baseUrl, GENWAY_API_KEY: apiKey };
  program = spawn(join(programs, 'python'), [join(ROOT, 'test/python/sdk_calls.py')], { env });
  program.stderr.pipe(process.stderr);
  const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
  const ask = async (line: object): Promise<Told> => {
    program.stdin.write(`${JSON.stringify(line)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error('the program of Python’s clients has ended');
    return JSON.parse(value) as Told;
  };
  python = {
    operations: async (resource) => (await ask({ resource })).answer as string[],
    call: (name, args, fields) => ask({ call: name, args, fields: flat(fields) }),
  };
}, 10 * MINUTE);
afterAll(() => {
  program.kill();
});

/** Python's clients take the fields of a body beside those of the path, write both with underscores, and none as a word of the language. */
function flat(fields: object): object {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    /request(Body)?$/i.test(name)
      ? Object.entries(flat(value))
      : [[name === 'type' ? 'type_' : snake(name), value] as const],
  );
  return Object.fromEntries(entries);
}

/** What became of each operation of a language, in the order of the rows. */
async function tryAll(clients: Clients, rows: Readonly<Record<string, Row>>): Promise<Map<string, string>> {
  const known = new Set((await Promise.all(RESOURCES.map((each) => clients.operations(each)))).flat());
  const things: Things = { name: `c-${crypto.randomUUID()}` };
  const outcomes = new Map<string, string>();
  let ended: string | undefined;
  for (const [name, row] of Object.entries(rows)) {
    if (!known.delete(name)) continue;
    const { args = () => [], fields = () => ({}), keeps } = row;
    const told = await clients.call(name, args(things), fields(things));
    if (told.error === undefined) keeps?.(told.answer as Made, things);
    if (things.video !== undefined && things.video !== ended) await endedVideo(things.video, apiKey);
    ended = things.video;
    outcomes.set(name, outcomeOf(told, row));
  }
  for (const name of known) outcomes.set(name, 'nobody has said what becomes of it');
  return outcomes;
}

/** An error is in order only with the status that its row names. */
function outcomeOf({ error, status }: Told, { refused, fails }: Row): string {
  if (error === undefined) return fails === undefined ? 'holds' : `answers, but not with ${fails}`;
  if (fails !== undefined && status === fails) return 'holds';
  return refused?.status === status ? `refused ${refused?.decision}` : `${status}: ${error}`;
}

const inPython = Object.fromEntries(Object.entries(ROWS).map(([name, row]) => [name, row.inPython ?? row]));
const expected = (rows: Readonly<Record<string, Row>>, name: string) => {
  const refused = rows[name]?.refused;
  return refused === undefined ? 'holds' : `refused ${refused.decision}`;
};
const listed = new Map<string, string>();

describe('every operation of the official clients holds, or is refused by a decision', () => {
  test.each([['TypeScript', () => typescript, ROWS] as const, ['Python', () => python, inPython] as const])(
    'in %s',
    async (language, clients, rows) => {
      const outcomes = await tryAll(clients(), rows);
      for (const [name, outcome] of outcomes) {
        const other = listed.get(name);
        const differs = other !== undefined && other !== outcome;
        listed.set(differs ? `${name} in ${language}` : name, outcome);
      }
      const all = [...outcomes.keys()].map((name) => [name, expected(rows, name)]);
      expect(Object.fromEntries(outcomes)).toEqual(Object.fromEntries(all));
    },
    10 * MINUTE,
  );

  test('and docs/clients.md lists them', () => {
    const page = readFileSync(PAGE, 'utf8');
    const table = /\| operations of \|[\s\S]*$/;
    const renewed = page.replace(table, () => tableOf(listed));
    if (process.env.GENWAY_RECORD_CLIENTS !== undefined) writeFileSync(PAGE, renewed);
    expect(page).toBe(renewed);
  });
});

function tableOf(outcomes: ReadonlyMap<string, string>): string {
  const rows = RESOURCES.map((resource) => {
    const of = [...outcomes].filter(([name]) => name.slice(0, name.lastIndexOf('.')) === resource);
    const named = (outcome: (text: string) => boolean) =>
      of
        .filter(([, text]) => outcome(text))
        .map(([name]) => {
          const [operation = '', language] = name.slice(resource.length + 1).split(' in ');
          return `\`${operation}\`${language === undefined ? '' : ` in ${language}`}`;
        });
    const numbers = [
      ...new Set(of.map(([, text]) => text).filter((text) => text.startsWith('refused'))),
    ].sort();
    const refused = numbers.map((text) => {
      const file = text.slice('refused '.length);
      return `${named((each) => each === text).join(', ')} ([${file.slice(0, 3)}](decisions/${file}.md))`;
    });
    return `| \`${resource}\` | ${named((text) => text === 'holds').join(', ')} | ${refused.join('; ')} |`;
  });
  return ['| operations of | that hold | that are refused |', '|---|---|---|', ...rows, ''].join('\n');
}
