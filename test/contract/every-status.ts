import { createHash, randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { dynamo, tableNamed } from './aws.ts';
import { type Answer, call, form, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

const management = stage.managementKey;
export const VIDEO = { model: 'sandbox/clip-1', prompt: 'A red fox in fresh snow', duration: 1 };

async function keyWith(fields: object): Promise<string> {
  const { id } = await newWorkspace();
  const json = { name: 'Statuses', workspace_id: id, ...fields };
  return (await call('POST', '/keys', { key: management, json })).body.key;
}

/** A key of a workspace whose provider account has this fault. */
async function keyAtProvider(fault: string): Promise<string> {
  const { id, key } = await newWorkspace();
  const json = { provider: 'openai', key: `sk-test-${fault}`, workspace_id: id };
  await call('POST', '/byok', { key: management, json });
  return key;
}

const upload = (key: string | undefined, query = '', content = 'A note') =>
  call('POST', `/files${query}`, { ...(key === undefined ? {} : { key }), body: form(content) });
const submit = (key: string | undefined, change: object = {}, headers: Record<string, string> = {}) =>
  call('POST', '/videos', { ...(key === undefined ? {} : { key }), json: { ...VIDEO, ...change }, headers });
const create = (key: string | undefined, change: object = {}, headers: Record<string, string> = {}) => {
  const json = { name: 'Studio', slug: `t-${randomUUID()}`, ...change };
  return call('POST', '/workspaces', { ...(key === undefined ? {} : { key }), json, headers });
};

/** A submit of a model whose only endpoint is paused, once the function that answers knows it. */
async function pausedModel(): Promise<Answer> {
  const { id: _, ...row } = findOffer('sandbox/clip-1')!;
  const path = '/endpoints/sandbox/paused';
  await call('PUT', path, { key: management, json: { ...row, model: 'acme/paused', paused: true } });
  const answer = await until(
    () => submit(stage.apiKey, { model: 'acme/paused' }),
    ({ status }) => status === 503,
  );
  await call('DELETE', path, { key: management });
  return answer;
}

async function twice(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

/** An idempotency key whose stored answer is damaged. */
async function brokenReplay(workspaceId: string, path: string): Promise<Record<string, string>> {
  const key = randomUUID();
  const id = createHash('sha256').update([workspaceId, 'POST', path, key].join('\n')).digest('hex');
  await dynamo.send(new PutCommand({ TableName: await tableNamed('Replays'), Item: { id } }));
  return { 'idempotency-key': key };
}

async function brokenWorkspace(): Promise<string> {
  const id = randomUUID();
  const Item = { pk: `WORKSPACE#${id}` };
  await dynamo.send(new PutCommand({ TableName: await tableNamed('Workspaces'), Item }));
  return id;
}

async function defaultWorkspace(): Promise<string> {
  return (await call('GET', '/workspaces/default', { key: management })).body.data.id;
}

/** One byte more than the largest file; the form around it adds some more. */
const TOO_LARGE = 'x'.repeat(100 * 1024 * 1024 + 1);

/** For three operations, a request that leads to each status in the table of its answers. */
export const everyStatus: Readonly<Record<string, Readonly<Record<number, () => Promise<Answer>>>>> = {
  'upload-file': {
    200: async () => upload(stage.apiKey),
    400: async () => upload(stage.apiKey, '', ''),
    401: async () => upload(undefined),
    403: async () => upload(stage.apiKey, `?workspace_id=${randomUUID()}`),
    413: async () => upload(stage.apiKey, '', TOO_LARGE),
    429: async () => {
      const key = await keyWith({ rate_limits: { upload: 1 } });
      return twice(() => upload(key));
    },
    500: async () => upload(management, `?workspace_id=${await brokenWorkspace()}`),
    502: async () => upload(await keyAtProvider('broken'), '?provider=provider_a'),
    503: async () => upload(await keyAtProvider('busy'), '?provider=provider_a'),
  },
  'create-workspace': {
    201: async () => create(management),
    400: async () => create(management, { slug: 'Not a slug' }),
    401: async () => create(undefined),
    403: async () => create(stage.apiKey),
    500: async () => create(management, {}, await brokenReplay(await defaultWorkspace(), '/workspaces')),
  },
  'submit-video': {
    202: async () => submit(stage.apiKey),
    400: async () => submit(stage.apiKey, { duration: 99 }),
    401: async () => submit(undefined),
    402: async () => submit(await keyWith({ limit: 0 })),
    403: async () => submit(await keyWith({ scope: { operations: ['read'] } })),
    404: async () => submit(stage.apiKey, { model: 'sandbox/none' }),
    429: async () => {
      const key = await keyWith({ rate_limits: { submit: 1 } });
      return twice(() => submit(key));
    },
    500: async () => {
      const { id, key } = await newWorkspace();
      return submit(key, {}, await brokenReplay(id, '/videos'));
    },
    503: pausedModel,
  },
};
