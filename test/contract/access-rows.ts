import { randomBytes, randomUUID } from 'node:crypto';
import type { RouteId } from '../../functions/endpoints/definitions.ts';
import { newId } from '../../functions/ids.ts';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { generationIdOf } from '../../functions/videos/jobs/job.ts';
import { type CallOptions, call, form, stage } from './stage.ts';
import { until } from './until.ts';

export interface Workspace {
  readonly id: string;
  readonly key: string;
}

/** A kind of thing that a path names by its id. */
export interface Thing {
  /** Creates one in a workspace and returns its id. */
  readonly make: (workspace: Workspace) => Promise<string>;
  /** Absent if no operation deletes things of this kind. */
  readonly remove?: (id: string, workspace: Workspace) => Promise<unknown>;
  /** A well-formed id that belongs to nothing. */
  readonly random: () => string;
}

const management = stage.managementKey;

/** What a management key creates in a workspace and deletes. */
const managed = (path: string, fields: object, id = 'id') => ({
  make: async (workspace: Workspace): Promise<string> => {
    const json = { ...fields, workspace_id: workspace.id };
    return (await call('POST', path, { key: management, json })).body.data[id];
  },
  remove: (made: string) => call('DELETE', `${path}/${made}`, { key: management }),
});

export const things = {
  file: {
    make: async ({ key }) => (await call('POST', '/files', { key, body: form('text') })).body.id,
    remove: (id, { key }) => call('DELETE', `/files/${id}`, { key }),
    random: () => newId.file(new Date()),
  },
  upload: {
    make: async ({ key }) => (await call('POST', '/uploads', { key, ...newUpload.send() })).body.id,
    random: () => newId.upload(new Date()),
  },
  video: {
    make: async ({ key }) => (await call('POST', '/videos', { key, json: unhurriedVideo })).body.id,
    random: () => newId.video(new Date()),
  },
  /** The provider asks for a wait of 15 minutes, so no worker touches the job before. */
  waitingVideo: {
    make: async ({ key }) => {
      const { body: job } = await call('POST', '/videos', { key, json: waitingVideo });
      await until(
        () => call('GET', `/videos/${job.id}`, { key }),
        ({ body }) => Date.parse(body.waiting_for?.until) > Date.now() + 600_000,
      );
      return job.id;
    },
    random: () => newId.video(new Date()),
  },
  workspace: {
    make: async ({ id }) => id,
    random: randomUUID,
  },
  key: { ...managed('/keys', { name: 'Matrix' }, 'hash'), random: () => randomBytes(32).toString('hex') },
  providerKey: { ...managed('/byok', { provider: 'openai', key: 'sk-matrix-matrix' }), random: randomUUID },
  guardrail: { ...managed('/guardrails', { name: 'Matrix' }), random: randomUUID },
  /** A workspace has one, whose id is the workspace's. */
  destination: {
    make: async ({ id: workspace_id }) => {
      const config = { endpoint: 'https://traces.genway.dev/v1/traces' };
      const json = { type: 'otel-collector', name: 'Matrix', config, workspace_id };
      await call('POST', '/observability/destinations', { key: management, json });
      return workspace_id;
    },
    random: randomUUID,
  },
} satisfies Record<string, Thing>;
export type Kind = keyof typeof things;

/** What the matrix must know about a route to call it. */
export interface Row {
  /** The kind of thing that the path's id names. */
  readonly names?: Kind;
  /** The path's parameters that are not ids. */
  readonly others?: Readonly<Record<string, string>>;
  /** The status for a caller with access. */
  readonly passes: number;
  /** The operation changes its thing, so it cannot be repeated on it. */
  readonly consumes?: true;
  /** `?workspace_id=` may name another workspace. The status for a key that has no access to this workspace. */
  readonly scoped?: 403 | 404;
  readonly send?: () => CallOptions;
  /** Parameters that every request to this route needs. */
  readonly query?: Readonly<Record<string, string>>;
}

const unhurriedVideo = {
  model: 'sandbox/clip-1',
  prompt: 'A fox',
  duration: 1,
  provider: { options: { sandbox: { latency_s: 3600 } } },
};
const waitingVideo = {
  ...unhurriedVideo,
  provider: { options: { sandbox: { submit: 429, retry_after: 3600 } } },
};
/** A catalogue row for this test alone, served by the sandbox. */
const OWN_ENDPOINT = { provider: 'sandbox', name: 'matrix' };
const CLIP = { provider: 'sandbox', name: 'clip-1' };
const { id: _, ...sandboxRow } = findOffer('sandbox/clip-1') ?? { id: '' };
const NO_GENERATION = { id: generationIdOf(newId.video(new Date())) };
const CHOSEN = 'x'.repeat(43);
const json = (value: unknown) => ({ send: () => ({ json: value }) });
const newPart = () => ({ body: form('text', 'part', 'data') });
const newUpload = json({ bytes: 1000, filename: 'notes.txt' });

/** Every route has one row, or the matrix fails. */
export const rows: Readonly<Record<RouteId, Row>> = {
  'create-key': { passes: 201, ...json({ name: 'Matrix' }) },
  'list-keys': { passes: 200 },
  'get-key': { names: 'key', passes: 200 },
  'update-key': { names: 'key', passes: 200, ...json({ name: 'Renamed' }) },
  'delete-key': { names: 'key', passes: 200, consumes: true },
  'get-current-key': { passes: 200 },
  'list-approvals': { passes: 200 },
  // There is no such approval. Only callers with access learn that.
  'approve-change': { others: { approval: newId.approval(new Date()) }, passes: 404 },
  'refuse-change': { others: { approval: newId.approval(new Date()) }, passes: 404 },
  'create-session': { passes: 201 },
  // The request has no session. Only callers with access learn that.
  'renew-session': { passes: 404 },
  'get-oidc': { passes: 200 },
  // The identity provider knows no such code.
  'create-oidc-session': { passes: 401, ...json({ code: 'x', code_verifier: CHOSEN, nonce: CHOSEN }) },
  'end-session': { passes: 404 },
  'create-workspace': {
    passes: 201,
    send: () => ({ json: { name: 'Matrix', slug: `t-${randomUUID()}` } }),
  },
  'list-workspaces': { passes: 200 },
  'get-workspace': { names: 'workspace', passes: 200 },
  'update-workspace': { names: 'workspace', passes: 200, ...json({ name: 'Renamed' }) },
  // The workspace has active keys. Only callers with access learn that.
  'delete-workspace': { names: 'workspace', passes: 400 },
  'list-budgets': { names: 'workspace', passes: 200 },
  'put-budget': {
    names: 'workspace',
    others: { interval: 'lifetime' },
    passes: 200,
    ...json({ limit_usd: 9e6 }),
  },
  // No weekly budget is set. Only callers with access learn that.
  'get-budget': { names: 'workspace', others: { interval: 'weekly' }, passes: 404 },
  'delete-budget': { names: 'workspace', others: { interval: 'daily' }, passes: 200 },
  'create-provider-key': { passes: 201, ...json({ provider: 'openai', key: 'sk-matrix-matrix' }) },
  'list-provider-keys': { passes: 200 },
  'get-provider-key': { names: 'providerKey', passes: 200 },
  'update-provider-key': { names: 'providerKey', passes: 200, ...json({ name: 'Renamed' }) },
  'delete-provider-key': { names: 'providerKey', passes: 200, consumes: true },
  'test-provider-key': { names: 'providerKey', passes: 200 },
  'create-guardrail': { passes: 201, ...json({ name: 'Matrix' }) },
  'list-guardrails': { passes: 200 },
  'get-guardrail': { names: 'guardrail', passes: 200 },
  'update-guardrail': { names: 'guardrail', passes: 200, ...json({ name: 'Renamed' }) },
  'delete-guardrail': { names: 'guardrail', passes: 200, consumes: true },
  'list-key-assignments': { passes: 200 },
  'list-assigned-keys': { names: 'guardrail', passes: 200 },
  // No key has this hash. Only callers with access learn that.
  'assign-keys': { names: 'guardrail', passes: 404, ...json({ key_hashes: ['none'] }) },
  'unassign-keys': { names: 'guardrail', passes: 404, ...json({ key_hashes: ['none'] }) },
  'get-credits': { passes: 200 },
  'grant-credits': {
    passes: 200,
    send: () => ({ json: { amount_usd: 1e6 }, headers: { 'idempotency-key': randomUUID() } }),
  },
  'put-workspace-webhook': { names: 'workspace', passes: 200, ...json({ default_callback_url: null }) },
  'get-workspace-webhook': { names: 'workspace', passes: 200 },
  'delete-workspace-webhook': { names: 'workspace', passes: 200 },
  'rotate-webhook-secret': { names: 'workspace', passes: 200, ...json({}) },
  'reveal-webhook-secret': { names: 'workspace', passes: 200 },
  'get-workspace-broadcast': { names: 'workspace', passes: 200 },
  'put-workspace-broadcast': {
    names: 'workspace',
    passes: 200,
    ...json({ url: 'https://traces.genway.dev/v1/traces', headers: { 'x-key': 'secret' } }),
  },
  'delete-workspace-broadcast': { names: 'workspace', passes: 200 },
  // The workspace has no trace destination. Only callers with access learn that.
  'test-workspace-broadcast': { names: 'workspace', passes: 400 },
  'list-destinations': { passes: 200 },
  // There is no such kind. Only callers with access learn that.
  'create-destination': { passes: 400, ...json({ type: 'langfuse' }) },
  // Others delete it: a workspace has one.
  'get-destination': { names: 'destination', passes: 200, consumes: true },
  'update-destination': { names: 'destination', passes: 200, consumes: true, ...json({ name: 'Renamed' }) },
  'delete-destination': { names: 'destination', passes: 200, consumes: true },
  'list-activity': { passes: 200 },
  'get-analytics-meta': { passes: 200 },
  'query-analytics': { passes: 200, ...json({ metrics: ['cost'] }) },
  'list-audit': { passes: 200 },
  // No generation has this id. Only callers with access learn that.
  'get-generation': { query: NO_GENERATION, passes: 404 },
  'get-generation-content': { query: NO_GENERATION, passes: 404 },
  'get-webhook-keys': { passes: 200 },
  // The address is not public. Only callers with access learn that.
  'test-workspace-webhook': { names: 'workspace', passes: 400, ...json({ url: 'https://10.0.0.7/' }) },
  'list-webhook-deliveries': { names: 'workspace', passes: 200 },
  'recover-webhook-deliveries': {
    names: 'workspace',
    passes: 202,
    ...json({ since: '2030-01-01T00:00:00Z' }),
  },
  'redeliver-webhook-delivery': {
    names: 'workspace',
    others: { delivery: newId.event(new Date()) },
    passes: 404,
  },
  'upload-file': { passes: 200, scoped: 403, send: () => ({ body: form('text') }) },
  'create-upload': { passes: 200, scoped: 403, ...newUpload },
  'add-upload-part': { names: 'upload', passes: 200, scoped: 403, send: newPart },
  // Refused, because it has no such part.
  'complete-upload': { names: 'upload', passes: 400, scoped: 403, ...json({ part_ids: ['gw_part_none'] }) },
  'cancel-upload': { names: 'upload', passes: 200, consumes: true, scoped: 403 },
  'list-files': { passes: 200, scoped: 403 },
  'get-file': { names: 'file', passes: 200, scoped: 403 },
  'delete-file': { names: 'file', passes: 200, consumes: true, scoped: 403 },
  'get-file-content': { names: 'file', passes: 302, scoped: 403 },
  'list-endpoints': { passes: 200 },
  'put-endpoint': { others: OWN_ENDPOINT, passes: 200, ...json(sandboxRow) },
  'update-endpoint': { others: CLIP, passes: 200, ...json({ paused: false }) },
  // No endpoint has this name. Only callers with access learn that.
  'delete-endpoint': { others: { provider: 'sandbox', name: 'none' }, passes: 404 },
  'submit-video': { passes: 202, scoped: 404, ...json(unhurriedVideo) },
  // Refused, because there is no such video, or because it has not ended.
  'edit-video': { passes: 404, ...json({ prompt: 'A fox', video: { id: newId.video(new Date()) } }) },
  'extend-video': { passes: 404, ...json({ prompt: 'A fox', video: { id: newId.video(new Date()) } }) },
  'remix-video': { names: 'video', passes: 400, scoped: 404, ...json({ prompt: 'A fox' }) },
  'estimate-video': { passes: 200, scoped: 404, ...json(unhurriedVideo) },
  'list-video-models': { passes: 200 },
  'list-models': { passes: 200 },
  'count-models': { passes: 200 },
  'list-model-endpoints': { others: { author: 'sandbox', slug: 'clip-1' }, passes: 200 },
  'list-own-models': { passes: 200 },
  'get-model': { others: { author: 'sandbox', slug: 'clip-1' }, passes: 200 },
  'list-zdr-endpoints': { passes: 200 },
  'list-providers': { passes: 200 },
  'receive-callback': { others: { token: 'forged' }, passes: 404 },
  'get-openapi-json': { passes: 200 },
  'get-openapi-yaml': { passes: 200 },
  'get-docs': { passes: 200 },
  'get-docs-asset': { others: { asset: 'docs.css' }, passes: 200 },
  'list-videos': { passes: 200, scoped: 403 },
  'get-video': { names: 'video', passes: 200, scoped: 404 },
  // The job has not ended. Only callers with access learn that.
  'delete-video': { names: 'video', passes: 409, scoped: 404 },
  // There is no video yet. Only callers with access learn that.
  'get-video-content': { names: 'video', passes: 409, scoped: 404 },
  'list-video-events': { names: 'video', passes: 200, scoped: 404 },
  'list-video-deliveries': { names: 'video', passes: 200, scoped: 404 },
  // The job has not ended. Only callers with access learn that.
  'redeliver-video-webhook': { names: 'video', passes: 409, scoped: 404 },
  'cancel-video': { names: 'waitingVideo', passes: 200, consumes: true, scoped: 404 },
};
