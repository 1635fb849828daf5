import { hash, randomBytes } from 'node:crypto';
import { globSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { newApproval } from '../../functions/approvals/approval.ts';
import { ApprovalStore } from '../../functions/approvals/approval-store.ts';
import { seenOffer } from '../../functions/endpoints/catalogue/offer-changes.ts';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { newId } from '../../functions/ids.ts';
import { type Examples, examples } from '../../functions/openapi/examples.ts';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { NO_CHANGES } from '../../functions/videos/catalogue/stage-catalogue.ts';
import { callbackTokenOf, dynamo, tableNamed } from './aws.ts';
import { everyStatus } from './every-status.ts';
import { type Answer, type CallOptions, call, stage } from './stage.ts';
import { endedVideo, startedVideo, until } from './until.ts';

/** Matches whole secrets. A key's label begins like the key but continues with dots, so it does not match. */
const SECRET = /\b([smc][ks]-gw-v1-|whsec_)[\w+/=-]{20,}/g;
/** The part of a link that signs it and limits its time. */
const SIGNATURE = /(?<=[?&]Expires=\d+)&Signature=[^\s"]*/g;
/** Downloads have a host of their own on AWS. */
const DOWNLOADS = /http:\/\/localhost:\d+\/downloads\//g;

/**
 * An answer as a page may show it: secrets and signatures are shortened, and local addresses are replaced. The rest is
 * unchanged.
 */
function presentable(value: unknown, addresses: Readonly<Record<string, string>>): unknown {
  let text = JSON.stringify(value).replaceAll(DOWNLOADS, 'https://downloads.example.com/');
  for (const [own, shown] of Object.entries(addresses)) text = text.replaceAll(own, shown);
  for (const [own, shown] of Object.entries(addresses)) {
    text = text.replaceAll(new URL(own).host, new URL(shown).host);
  }
  return JSON.parse(text.replaceAll(SECRET, '$1…').replaceAll(SIGNATURE, '&Signature=cut-short'));
}

/** A row of a list, as far as the examples need it. */
interface Row {
  readonly id: string;
  readonly action: string;
  readonly target: Readonly<Record<string, string>>;
  readonly key_hash: string;
}

interface Asked extends CallOptions {
  /** The path's parameters, and the query. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Selects the rows to show, because other tests create rows on this stage at any time. */
  readonly shows?: (row: Row) => boolean;
}

type Ask = (id: RouteId, asked?: Asked) => Promise<Answer>;

const management = stage.managementKey;
const VIDEO = {
  model: 'sandbox/clip-1',
  prompt: 'A red fox in fresh snow',
  duration: 4,
  resolution: '720p',
  aspect_ratio: '16:9',
};
const sandbox = (directives: object) => ({ provider: { options: { sandbox: directives } } });

/** Calls each operation once for one workspace, and records the answers as examples. */
async function playExamples(): Promise<Examples> {
  const examples: Examples = { operations: {}, refusals: {}, events: {} };
  const receiver = createServer(
    (request, response) => void request.resume().on('end', () => response.writeHead(204).end()),
  );
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/genway`;
  const show = (value: unknown) =>
    presentable(value, {
      [stage.baseUrl.replace('/api/v1', '')]: 'https://api.example.com',
      [address]: 'https://example.com/genway',
    });
  const ask: Ask = async (id, { path = {}, query = '', shows, ...options } = {}) => {
    const concrete = routes[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
    const answer = await call(routes[id].method, `${concrete}${query}`, { key: management, ...options });
    const known = examples.operations[id] ?? { answers: {} };
    const request = options.json === undefined ? {} : { request: show(options.json) };
    const answers = { [answer.status]: show(only(shows, answer.body)), ...known.answers };
    examples.operations[id] = { ...request, ...known, answers };
    return answer;
  };
  try {
    const { workspace, key } = await playManagement(ask);
    await playFiles(ask, key);
    await playWebhooks(ask, workspace, key, address, (type, body) => {
      examples.events[type] = show(body);
    });
    await playRefusals(key, (status, body) => {
      examples.refusals[status] = show(body);
    });
    await playEnd(ask, workspace, key);
    return examples;
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

function only(shows: Asked['shows'], body: Answer['body']): Answer['body'] {
  return shows === undefined ? body : { ...body, data: body.data.filter(shows) };
}

/** A workspace with a key, budgets and provider keys. */
async function playManagement(ask: Ask) {
  // The README uses another slug, and its blocks may have run on the same stage.
  const json = { name: 'Studio', slug: 'fox-films', description: 'Films for children' };
  const created = await ask('create-workspace', { json });
  const workspace: string = created.body.data.id;
  const path = { workspace, interval: 'monthly' };
  // The list begins with the oldest workspace, so this one is on the last page.
  const { body: counted } = await call('GET', '/workspaces?limit=1', { key: management });
  const offset = Math.max(0, counted.total_count - 50);
  await ask('list-workspaces', { query: `?limit=100&offset=${offset}`, shows: ({ id }) => id === workspace });
  await ask('get-workspace', { path });
  await ask('update-workspace', {
    path,
    json: {
      default_provider_sort: 'price',
      video_retention_days: 7,
      is_observability_io_logging_enabled: true,
    },
  });
  await ask('put-budget', { path, json: { limit_usd: 200 } });
  await ask('get-budget', { path });
  await ask('list-budgets', { path });
  const limits = { limit: 50, limit_reset: 'monthly', rate_limits: { submit: 10 } };
  const issued = await ask('create-key', {
    json: { name: 'Editing room', workspace_id: workspace, ...limits },
  });
  const named = { path: { hash: issued.body.data.hash as string } };
  await ask('list-keys', { query: `?workspace_id=${workspace}` });
  await ask('get-key', named);
  await ask('update-key', { ...named, json: { name: 'Cutting room', limit: 75 } });
  const spare = await call('POST', '/keys', {
    key: management,
    json: { name: 'Spare', workspace_id: workspace },
  });
  await ask('delete-key', { path: { hash: spare.body.data.hash } });
  const stored = await ask('create-provider-key', {
    json: {
      provider: 'openai',
      key: 'sk-proj-an-example-only',
      workspace_id: workspace,
      name: 'Studio at OpenAI',
    },
  });
  const byok = { path: { id: stored.body.data.id as string } };
  await ask('list-provider-keys', { query: `?workspace_id=${workspace}` });
  await ask('get-provider-key', byok);
  await ask('update-provider-key', { ...byok, json: { allowed_models: ['openai/sora-2'] } });
  await ask('test-provider-key', byok);
  await ask('delete-provider-key', byok);
  await playGuardrails(ask, workspace, named.path.hash);
  await ask('grant-credits', {
    json: { amount_usd: 1e6, note: 'First quarter' },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  await ask('get-credits');
  return { workspace, key: issued.body.key as string };
}

async function playGuardrails(ask: Ask, workspace: string, hash: string): Promise<void> {
  const made = await ask('create-guardrail', {
    json: {
      name: 'Trailers only',
      workspace_id: workspace,
      allowed_models: ['sandbox/clip-1'],
      limit_usd: 25,
      reset_interval: 'daily',
    },
  });
  const named = { path: { guardrail: made.body.data.id as string } };
  await ask('list-guardrails', { query: `?workspace_id=${workspace}` });
  await ask('get-guardrail', named);
  await ask('update-guardrail', { ...named, json: { limit_usd: 40, ignored_providers: ['fal'] } });
  await ask('assign-keys', { ...named, json: { key_hashes: [hash] } });
  await ask('list-assigned-keys', named);
  // Keys of other tests may name guardrails too.
  await ask('list-key-assignments', { query: '?limit=100', shows: ({ key_hash }) => key_hash === hash });
  await ask('unassign-keys', { ...named, json: { key_hashes: [hash] } });
  await ask('delete-guardrail', named);
}

async function playFiles(ask: Ask, key: string): Promise<void> {
  const body = new FormData();
  body.append('file', new Blob(['# Shot list\n\n1. A red fox\n2. Fresh snow\n']), 'shots.md');
  const { body: file } = await ask('upload-file', { key, body });
  const named = { key, path: { file: file.id as string } };
  await ask('list-files', { key });
  await ask('get-file', named);
  await ask('get-file-content', { ...named, query: '?redirect=false' });
  await ask('get-file-content', named);
  await ask('delete-file', named);
  await playUpload(ask, key);
  await ask('get-current-key', { key });
  const { body: begun } = await ask('create-session', { key });
  await ask('renew-session', { key: begun.token });
  await ask('end-session', { key: begun.token });
  const { body: told } = await ask('get-oidc');
  const verifier = randomBytes(32).toString('base64url');
  const json = { code: await codeOf(told.data, verifier), code_verifier: verifier, nonce: verifier };
  await ask('create-oidc-session', { json });
}

async function playUpload(ask: Ask, key: string): Promise<void> {
  const json = { bytes: 31, filename: 'shots.txt', mime_type: 'text/plain', purpose: 'user_data' };
  const { body: upload } = await ask('create-upload', { key, json });
  const inParts = { key, path: { upload: upload.id as string } };
  const data = new FormData();
  data.append('data', new Blob(['1. A red fox\n2. Snow\n3. A hare\n']), 'shots.part1');
  const { body: part } = await ask('add-upload-part', { ...inParts, body: data });
  await ask('complete-upload', { ...inParts, json: { part_ids: [part.id] } });
  const { body: other } = await call('POST', '/uploads', { key, json });
  await ask('cancel-upload', { key, path: { upload: other.id } });
}

async function playBroadcast(ask: Ask, path: { workspace: string }, url: string): Promise<void> {
  const headers = { 'x-api-key': 'an-example-only' };
  await ask('put-workspace-broadcast', { path, json: { url, headers } });
  await ask('get-workspace-broadcast', { path });
  await ask('test-workspace-broadcast', { path });
  await ask('delete-workspace-broadcast', { path });
  const { workspace: workspace_id } = path;
  const config = { endpoint: url, headers };
  const json = { type: 'otel-collector', name: 'Honeycomb', config, workspace_id, sampling_rate: 0.5 };
  await ask('create-destination', { json });
  await ask('list-destinations', { query: `?workspace_id=${workspace_id}` });
  const named = { path: { destination: workspace_id } };
  await ask('get-destination', named);
  const rules = [{ field: 'total_cost', operator: 'gt', value: 1 }];
  await ask('update-destination', { ...named, json: { filter_rules: { groups: [{ rules }] } } });
  await ask('delete-destination', named);
}

/** Signs in at the identity provider as a browser does, without one. */
async function codeOf(
  { authorization_endpoint, client_id, scope }: Record<string, string>,
  verifier: string,
): Promise<string> {
  const query = {
    ...{ client_id, scope, response_type: 'code', state: 'x', nonce: verifier },
    redirect_uri: stage.baseUrl.replace('/api/v1', '/console'),
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  };
  const cookies = new Map<string, string>();
  let next = new URL(`${authorization_endpoint}?${new URLSearchParams(query as Record<string, string>)}`);
  let form: Record<string, string> | undefined;
  while (next.pathname !== '/console') {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const sent = form && { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(next, { ...sent, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const page = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    form = prompt === undefined ? undefined : { prompt, login: 'admins', password: 'any' };
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    next = new URL(answer.headers.get('location') ?? action, next);
  }
  return next.searchParams.get('code') ?? '';
}

type KeepEvent = (type: string, body: unknown) => void;

async function playWebhooks(
  ask: Ask,
  workspace: string,
  key: string,
  address: string,
  keep: KeepEvent,
): Promise<void> {
  const path = { workspace };
  await ask('put-workspace-webhook', { path, json: { default_callback_url: address } });
  await ask('get-workspace-webhook', { path });
  await ask('rotate-webhook-secret', { path, json: { overlap_hours: 24 } });
  await ask('reveal-webhook-secret', { path });
  await ask('get-webhook-keys');
  const tested = await ask('test-workspace-webhook', { path, json: { url: address } });
  keep('webhook.test', JSON.parse(tested.body.data.body));
  await playBroadcast(ask, path, address);
  // Other tests make too few videos with this model for it to have figures.
  await ask('list-video-models', { shows: ({ id }) => id === 'luma/ray-2' });
  await ask('list-models', { shows: ({ id }) => id === 'luma/ray-2' });
  await ask('count-models');
  await ask('get-model', { path: { author: 'luma', slug: 'ray-2' } });
  await ask('list-own-models', { key, shows: ({ id }) => id === 'luma/ray-2' });
  await ask('list-zdr-endpoints', { key });
  await ask('list-model-endpoints', { path: { author: 'luma', slug: 'ray-2' } });
  await ask('list-providers');
  await ask('estimate-video', { key, json: VIDEO });
  const submitted = await ask('submit-video', { key, json: VIDEO });
  const video: string = submitted.body.id;
  await endedVideo(video, key);
  for (const outcome of ['failed', 'expired']) {
    const { body } = await call('POST', '/videos', {
      key,
      json: { ...VIDEO, ...sandbox({ latency_s: 0, outcome }) },
    });
    await endedVideo(body.id, key);
    keepEvent((await delivered(body.id, key)).body.data[0], keep);
  }
  const named = { key, path: { video } };
  // Its pictures are made seconds after its end.
  await until(
    () => call('GET', `/videos/${video}`, { key }),
    ({ body }) => body.thumbnail_urls !== undefined,
  );
  await ask('get-video', named);
  await ask('get-video-content', { ...named, query: '?redirect=false' });
  await ask('get-video-content', named);
  const fox = { prompt: 'The fox turns around' };
  const continued = [
    await ask('extend-video', { key, json: { ...fox, video: { id: video }, seconds: '2' } }),
    await ask('edit-video', { key, json: { ...fox, video: { id: video } } }),
    await ask('remix-video', { ...named, json: fox }),
  ];
  const token = await callbackTokenOf({ job: video, submit: 1, provider: 'sandbox' });
  await ask('receive-callback', { path: { token } });
  await ask('list-video-events', named);
  await playGeneration(ask, video, key);
  await delivered(video, key);
  const { body: deliveries } = await ask('list-video-deliveries', named);
  keepEvent(deliveries.data[0], keep);
  await ask('redeliver-video-webhook', named);
  // A delivery that is still being sent would get a 409.
  await delivered(video, key);
  await ask('redeliver-webhook-delivery', { path: { workspace, delivery: deliveries.data[0].id } });
  await delivered(video, key);
  // The newest event is that of one of these.
  for (const { body } of continued) await delivered(body.id, key);
  await ask('list-webhook-deliveries', { path, query: '?limit=1' });
  await ask('recover-webhook-deliveries', { path, json: { since: '2026-11-21T00:00:00Z' } });
  const slow = await call('POST', '/videos', { key, json: { ...VIDEO, ...sandbox({ latency_s: 3600 }) } });
  await startedVideo(slow.body.id, key);
  await ask('cancel-video', { key, path: { video: slow.body.id } });
  await endedVideo(slow.body.id, key);
  keepEvent((await delivered(slow.body.id, key)).body.data[0], keep);
  await ask('list-videos', { key, query: '?limit=1' });
  await ask('delete-video', { key, path: { video: slow.body.id } });
  await playEndpoints(ask);
  await playApprovals(ask);
  // Right after the changes, because other tests make changes too. The limit is small enough for a next page.
  await ask('list-audit', {
    query: '?limit=15',
    shows: ({ action, target }) => action === 'delete-endpoint' && target.name === 'example',
  });
  await ask('list-activity', { query: '?group_by=model' });
  await ask('get-analytics-meta');
  const metrics = ['request_count', 'cost'];
  await ask('query-analytics', { json: { metrics, dimensions: ['model'], granularity: 'month' } });
}

/** What became of a video, and its private log. */
async function playGeneration(ask: Ask, video: string, key: string): Promise<void> {
  const { body } = await call('GET', `/videos/${video}`, { key });
  const query = `?id=${body.generation_id}`;
  await ask('get-generation', { key, query });
  await until(
    () => call('GET', `/generation/content${query}`, { key: management }),
    ({ status }) => status === 200,
  );
  await ask('get-generation-content', { query });
}

/** Adds an endpoint of this stage alone, and removes it at the end. */
async function playEndpoints(ask: Ask): Promise<void> {
  const path = { provider: 'sandbox', name: 'example' };
  const { id: _, ...row } = findOffer('sandbox/clip-1')!;
  await ask('put-endpoint', { path, json: { ...row, name: 'Example' } });
  // Two show the form; the catalogue has dozens.
  const shows = ({ id }: Row) => ['sandbox/clip-1', 'fal/veo-3.1'].includes(id);
  await ask('list-endpoints', { shows });
  await ask('update-endpoint', { path, json: { paused: true } });
  await ask('delete-endpoint', { path });
}

/** The stage asks for no approvals, so another key's requests are put into its table. */
async function playApprovals(ask: Ask): Promise<void> {
  const store = new ApprovalStore(dynamo, await tableNamed('Approvals'));
  const { data } = (await call('GET', '/key', { key: management })).body;
  const principal = { keyHash: data.hash, line: 'another', kind: 'management', workspaceId: '' } as const;
  const limits = { scope: UNLIMITED, endsAt: null, creator: '', rateLimits: {} };
  const now = new Date();
  const ids = [1, 2, 3].map(() => newId.approval(now)).toSorted();
  const [first = '', second = '', last = ''] = ids;
  for (const id of ids) {
    const endpoint = 'sandbox/clip-1';
    const seen = seenOffer(endpoint, NO_CHANGES);
    const change = { action: 'update-endpoint', endpoint, request: { paused: false }, seen } as const;
    await store.insert(newApproval(id, { ...principal, ...limits }, change, now));
  }
  // Other tests have approvals of their own. The page before the last of these has one of these, and a next page.
  await ask('list-approvals', { query: `?limit=1&cursor=${last}` });
  await ask('refuse-change', { path: { approval: second } });
  await ask('approve-change', { path: { approval: first } });
}

/** Waits for a job's event and returns its deliveries. */
const delivered = (video: string, key: string) =>
  until(
    () => call('GET', `/videos/${video}/deliveries`, { key }),
    ({ body }) => body.data[0]?.status === 'delivered',
  );

function keepEvent(delivery: { readonly type: string; readonly body: string }, keep: KeepEvent): void {
  keep(delivery.type, JSON.parse(delivery.body));
}

async function playRefusals(key: string, keep: (status: number, body: unknown) => void): Promise<void> {
  for (const rows of Object.values(everyStatus).toReversed()) {
    for (const [status, refuse] of Object.entries(rows)) {
      if (Number(status) >= 400) keep(Number(status), (await refuse()).body);
    }
  }
  const { body } = await call('POST', '/videos', {
    key,
    json: { ...VIDEO, ...sandbox({ latency_s: 3600 }) },
  });
  const path = `/videos/${body.id}/content`;
  keep(409, (await call('GET', path, { key })).body);
  await call('POST', `/videos/${body.id}/cancel`, { key });
  await endedVideo(body.id, key);
  const ended = await call('POST', '/videos', { key, json: VIDEO });
  await endedVideo(ended.body.id, key);
  await age(ended.body.id);
  keep(410, (await call('GET', `/videos/${ended.body.id}/content`, { key })).body);
}

/** Changes the row as if the job had been completed long ago. */
async function age(video: string): Promise<void> {
  await dynamo.send(
    new UpdateCommand({
      TableName: await tableNamed('VideosJobs'),
      Key: { id: video },
      UpdateExpression: 'SET completed_at = :then',
      ExpressionAttributeValues: { ':then': '2026-01-01T00:00:00.000Z' },
    }),
  );
}

async function playEnd(ask: Ask, workspace: string, key: string): Promise<void> {
  const path = { workspace, interval: 'monthly' };
  await ask('delete-budget', { path });
  await ask('delete-workspace-webhook', { path });
  const { data } = (await call('GET', '/key', { key })).body;
  await call('DELETE', `/keys/${data.hash}`, { key: management });
  await ask('delete-workspace', { path });
}

const FUNCTIONS = join(import.meta.dirname, '../../functions');

/** Each area keeps the examples of its own operations. */
async function record({ operations, ...others }: Examples): Promise<void> {
  write(join(FUNCTIONS, 'openapi/examples.json'), others);
  for (const definition of globSync(join(FUNCTIONS, 'endpoints/*/definition.ts'))) {
    const { routes }: { routes: object } = await import(definition);
    const own = Object.entries(operations).filter(([id]) => id in routes);
    write(join(dirname(definition), 'examples.json'), Object.fromEntries(own));
  }
}

const write = (file: string, examples: object): void =>
  writeFileSync(file, `${JSON.stringify(examples, undefined, 2)}\n`);

/** The common part of two answers to the same request: names and types of fields, without ids and times. */
function form(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(form);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, formOf(name, inner)]));
}

/** The success rate is null until enough jobs have ended, and that depends on the tests before. */
const formOf = (name: string, value: unknown) =>
  name === 'success_rate' && (value === null || typeof value === 'number') ? 'number or null' : form(value);

let played: Examples;
beforeAll(async () => {
  played = await playExamples();
  // `npm run openapi:examples` sets this after a change of the answers.
  if (process.env.GENWAY_RECORD_EXAMPLES === '1') await record(played);
});

test.each(['operations', 'refusals', 'events'] as const)(
  'the examples of %s match the responses of a stage',
  (part) => {
    if (process.env.GENWAY_RECORD_EXAMPLES === '1') return;
    expect(form(played[part])).toEqual(form(examples[part]));
  },
);
