import { type CallOptions, form } from './stage.ts';

export interface RefusedSecrets {
  readonly key: string;
  readonly managementKey: string;
  /** A well-formed key that does not exist. */
  readonly unknown: string;
  readonly prompt: string;
  readonly content: string;
  readonly providerKey: string;
}

/** Requests that are refused. Each secret appears in every place where a caller could put it. */
export function requestsToRefuse(secrets: RefusedSecrets): [string, string, CallOptions][] {
  return [...credentialsAndPaths(secrets), ...bodies(secrets), ...providerKeys(secrets), ...files(secrets)];
}

function credentialsAndPaths({
  key,
  managementKey,
  unknown,
}: RefusedSecrets): [string, string, CallOptions][] {
  return [
    ['GET', '/files', { key: unknown }],
    ['GET', '/files', { headers: { 'x-api-key': `${key}x` } }],
    ['GET', '/files', { headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` } }],
    ['GET', '/files', { headers: { authorization: key } }],
    ['GET', `/files?limit=${key}`, { key }],
    ['GET', `/files?workspace_id=${key}`, { key }],
    ['GET', `/files/${key}`, { key }],
    ['GET', `/videos/${managementKey}/content`, { key }],
    ['GET', `/keys/${managementKey}`, { key: managementKey }],
    ['DELETE', `/keys/${key}`, { key: managementKey }],
    ['GET', `/nothing/${key}?api_key=${key}`, { key }],
  ];
}

function bodies({ key, managementKey, unknown, prompt }: RefusedSecrets): [string, string, CallOptions][] {
  const video = (change: object) => ({ key, json: { model: 'sandbox/clip-1', prompt, ...change } });
  const json = { 'content-type': 'application/json' };
  return [
    ['POST', '/keys', { key: managementKey, json: { name: 'a', expires_at: key } }],
    ['POST', '/keys', { key: managementKey, json: { name: 'a', workspace_id: managementKey } }],
    ['POST', '/workspaces', { key: managementKey, json: { name: 'a', slug: key } }],
    ['POST', '/workspaces', { key, json: { name: key, slug: 'a' } }],
    ['POST', '/videos', { key, headers: json, body: `{"prompt":"${prompt}","api_key":"${key}"` }],
    ['POST', '/videos', { key, headers: json, body: `{"prompt":"${prompt}","prompt":"${prompt}"}` }],
    ['POST', '/videos', { key, headers: { 'content-type': 'text/plain' }, body: prompt }],
    ['POST', '/videos', { key: unknown, json: { model: 'sandbox/clip-1', prompt } }],
    ['POST', '/videos', video({ prompt: prompt.repeat(1_000) })],
    ['POST', '/videos', video({ prompt: { text: prompt } })],
    ['POST', '/videos', video({ duration: key })],
    ['POST', '/videos', video({ size: key })],
    ['POST', '/videos', video({ frame_images: [{ type: 'image_url', image_url: { url: key } }] })],
    ['POST', '/videos', video({ callback_url: `https://user:${key}@example.com/` })],
    ['POST', '/videos', video({ callback_url: `http://example.com/?token=${key}` })],
  ];
}

function providerKeys({ key, managementKey, providerKey }: RefusedSecrets): [string, string, CallOptions][] {
  const create = (json: object) => ({
    key: managementKey,
    json: { provider: 'openai', key: providerKey, ...json },
  });
  return [
    ['POST', '/byok', { ...create({}), key }],
    ['POST', '/byok', create({ provider: providerKey })],
    ['POST', '/byok', create({ provider: 'unheard-of' })],
    ['POST', '/byok', create({ key: `${providerKey} with a space` })],
    ['POST', '/byok', create({ key: { secret: providerKey } })],
    ['POST', '/byok', create({ workspace_id: providerKey })],
    ['GET', `/byok/${providerKey}`, { key: managementKey }],
  ];
}

function files({ key, content }: RefusedSecrets): [string, string, CallOptions][] {
  const truncated = { 'content-type': 'multipart/form-data; boundary=x' };
  return [
    ['POST', '/files', { key, body: form(`\0${content}`) }],
    ['POST', '/files', { key, headers: truncated, body: `--x\r\n${key}` }],
    ['POST', '/files?provider=anthropic', { key, body: form(content) }],
  ];
}
