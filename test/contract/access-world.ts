import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Route } from '../../functions/http/routes.ts';
import { generateKey } from '../../functions/keys/key-format.ts';
import { type Kind, type Row, type Thing, things, type Workspace } from './access-rows.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

export type Credential = string | undefined;

/** Things that the matrix does not change. */
export interface Samples {
  readonly own: string;
  readonly foreign: string;
  /** Absent if no operation deletes things of this kind. */
  readonly deleted?: string;
}

export interface World {
  readonly own: Workspace;
  readonly foreign: Workspace;
  /** Every kind of invalid credential, once as an API key and once as a management key. */
  readonly bad: Readonly<Record<string, Credential>>;
  readonly samples: Readonly<Record<Kind, Samples>>;
}

export async function makeWorld(): Promise<World> {
  const [own, foreign] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [apiKeys, managementKeys, file, video, waitingVideo, workspace, key, providerKey, guardrail] =
    await Promise.all([
      badKeys('API key', { workspace_id: own.id }),
      badKeys('management key', { management: true }),
      makeSamples(things.file, own, foreign),
      makeSamples(things.video, own, foreign),
      makeSamples(things.waitingVideo, own, foreign),
      makeSamples(things.workspace, own, foreign),
      makeSamples(things.key, own, foreign),
      makeSamples(things.providerKey, own, foreign),
      makeSamples(things.guardrail, own, foreign),
    ]);
  const bad = { none: undefined, ...apiKeys, ...managementKeys };
  const samples = { file, video, waitingVideo, workspace, key, providerKey, guardrail };
  return { own, foreign, bad, samples };
}

async function badKeys(kind: string, fields: object): Promise<Record<string, string>> {
  const issue = async (more: object = {}) => {
    const json = { name: 'Matrix', ...fields, ...more };
    const { status, body } = await call('POST', '/keys', { key: stage.managementKey, json });
    expect(status).toBe(201);
    return body as { key: string; data: { hash: string } };
  };
  const [live, disabled, deleted] = await Promise.all([issue(), issue(), issue()]);
  // Comes last, when the function is warm: a cold start on a busy machine takes longer than this key lives.
  const expired = await issue({ expires_at: new Date(Date.now() + 5000).toISOString() });
  await until(
    () => call('GET', '/key', { key: expired.key }),
    ({ status }) => status === 401,
  );
  // No request has used these keys yet. Functions trust a key that they have seen for up to 30 seconds.
  await call('PATCH', `/keys/${disabled.data.hash}`, { key: stage.managementKey, json: { disabled: true } });
  await call('DELETE', `/keys/${deleted.data.hash}`, { key: stage.managementKey });
  return {
    [`a mistyped ${kind}`]: `${live.key.slice(0, -1)}${live.key.endsWith('0') ? '1' : '0'}`,
    [`the public hash of a ${kind}`]: live.data.hash,
    [`an unknown ${kind}`]: generateKey(kind === 'API key' ? 'normal' : 'management', randomBytes),
    [`a disabled ${kind}`]: disabled.key,
    [`an expired ${kind}`]: expired.key,
    [`a deleted ${kind}`]: deleted.key,
  };
}

async function makeSamples(thing: Thing, own: Workspace, foreign: Workspace): Promise<Samples> {
  const [ownId, foreignId] = await Promise.all([thing.make(own), thing.make(foreign)]);
  const samples = { own: ownId, foreign: foreignId };
  if (thing.remove === undefined) return samples;
  const deleted = await thing.make(own);
  await thing.remove(deleted, own);
  return { ...samples, deleted };
}

export interface Reply {
  readonly status: number;
  /** Everything by which a caller could tell two answers apart. */
  readonly bytes: string;
}

/** These headers depend on the time or the connection, not on the answer. */
const PASSING_HEADERS = /^(date|connection|keep-alive|x-amzn?-request-?id|x-ratelimit-.*)$/;

/** Every request sends the same request id, because answers repeat it. */
export async function send(
  { method, path }: Route,
  row: Row,
  key: Credential,
  id = '',
  query = row.query === undefined ? '' : `?${new URLSearchParams(row.query)}`,
): Promise<Reply> {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name) => row.others?.[name] ?? encodeURIComponent(id));
  const sent = row.send?.();
  const { status, headers, body } = await call(method, `${concrete}${query}`, {
    ...sent,
    ...(key === undefined ? {} : { key }),
    headers: { 'x-request-id': 'matrix', ...sent?.headers },
  });
  const told = [...headers].filter(([name]) => !PASSING_HEADERS.test(name)).sort();
  return { status, bytes: JSON.stringify({ status, told, body }) };
}
