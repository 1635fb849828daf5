import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { describe, expect, test } from '@jest/globals';
import { sealSecret, unsealSecret } from '../../functions/provider-keys/secret-box.ts';
import { inProcess } from './in-process.ts';
import { call, newWorkspace, stage } from './stage.ts';

const key = stage.managementKey;
const SECRET = 'sk-proj-0123456789-AbCd';
const create = (json: Record<string, unknown>) =>
  call('POST', '/byok', { key, json: { provider: 'openai', key: SECRET, ...json } });

describe('a provider key', () => {
  test('is stored, shown only by its label, changed and deleted', async () => {
    const { id: workspace_id } = await newWorkspace();
    const created = await create({ workspace_id, name: 'Studio', declared_region: 'europe' });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/byok/${created.body.data.id}`);
    const { data } = created.body;
    expect(data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      workspace_id,
      provider: 'openai',
      label: 'sk-…AbCd',
      name: 'Studio',
      disabled: false,
      is_fallback: false,
      is_required: false,
      is_byok_only: false,
      sort_order: 0,
      allowed_models: null,
      allowed_api_key_hashes: null,
      allowed_user_ids: null,
      declared_zdr: null,
      declared_region: 'europe',
      created_at: expect.any(String),
      updated_at: null,
    });
    const path = `/byok/${data.id}`;
    expect((await call('GET', path, { key })).body).toEqual({ data });
    const changed = await call('PATCH', path, {
      key,
      json: { disabled: true, name: null, sort_order: 3, key: 'sk-another-secret-WxYz' },
    });
    expect(changed.body.data).toEqual({
      ...data,
      label: 'sk-…WxYz',
      disabled: true,
      name: null,
      sort_order: 3,
      updated_at: expect.any(String),
    });
    const listed = await call('GET', `/byok?workspace_id=${workspace_id}`, { key });
    expect(listed.body).toEqual({ data: [changed.body.data], total_count: 1 });
    expect((await call('DELETE', path, { key })).body).toEqual({ deleted: true });
    for (const method of ['GET', 'DELETE']) expect((await call(method, path, { key })).status).toBe(404);
  });

  test.each([
    [{ provider: 'unheard-of' }, 'provider'],
    [{ declared_region: 'mars' }, 'declared_region'],
    [{ provider: 'Open AI' }, 'provider'],
    [{ key: 'short' }, 'key'],
    [{ key: 'with a space in it' }, 'key'],
    [{ key: 42 }, 'key'],
    [{ workspace_id: 'x' }, 'workspace_id'],
    [{ workspace_id: crypto.randomUUID() }, 'workspace_id'],
    [{ sort_order: 1.5 }, 'sort_order'],
    [{ allowed_models: 'all' }, 'allowed_models'],
  ])('with %j is refused, without a word of the secret', async (json, path) => {
    const { status, body } = await create(json);
    expect([status, body.error.metadata.path]).toEqual([400, path]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  });

  test.each([
    ['openai', SECRET, 'accepted', null],
    ['anthropic', SECRET, 'accepted', null],
    ['openai', 'sk-test-refusing', 'rejected', /Incorrect API key provided: \[redacted\]/],
    ['openai', 'sk-test-broken', 'unknown', /failed/],
    // Nothing listens at its address.
    ['acme', SECRET, 'unknown', /did not respond/],
    // The stage does not offer it.
    ['runway', SECRET, 'unknown', /does not call runway/],
  ])('of %s, %s, is %s when it is tested', async (provider, secret, outcome, message) => {
    const { id: workspace_id } = await newWorkspace();
    // Disabled keys are tested before they are enabled.
    const { body } = await create({ workspace_id, provider, key: secret, disabled: true });
    const tested = await call('POST', `/byok/${body.data.id}/test`, { key });
    const expected = message === null ? null : expect.stringMatching(message);
    expect([tested.status, tested.body]).toEqual([200, { data: { outcome, message: expected } }]);
    expect(JSON.stringify(tested.body)).not.toContain(secret);
  });

  test('of provider_a is a key of the vendor behind that name', async () => {
    const { id: workspace_id } = await newWorkspace();
    expect((await create({ workspace_id, provider: 'provider_a' })).body.data.provider).toBe('openai');
    expect((await create({ workspace_id, provider: 'provider_b' })).body.data.provider).toBe('anthropic');
    const filtered = await call('GET', `/byok?workspace_id=${workspace_id}&provider=provider_b`, { key });
    expect(filtered.body.data.map((each: { provider: string }) => each.provider)).toEqual(['anthropic']);
  });
});

test('the provider keys of a workspace are deleted with it', async () => {
  const { id: workspace_id, key: caller } = await newWorkspace();
  const { data } = (await create({ workspace_id })).body;
  const hash = (await call('GET', '/key', { key: caller })).body.data.hash;
  await call('DELETE', `/keys/${hash}`, { key });
  expect((await call('DELETE', `/workspaces/${workspace_id}`, { key })).status).toBe(200);
  expect((await call('GET', `/byok/${data.id}`, { key })).status).toBe(404);
});

test('a secret can only be decrypted for its own workspace, provider and id', async () => {
  const kms = new KMSClient(stage.aws);
  const kmsKeyId = (await kms.send(new CreateKeyCommand({}))).KeyMetadata?.KeyId ?? '';
  const owner = { id: '1', workspace_id: 'ws-1', provider: 'openai' };
  const sealed = await sealSecret(kms, kmsKeyId, owner, SECRET);
  expect(Buffer.from(sealed, 'base64').includes(SECRET)).toBe(false);
  expect(await unsealSecret(kms, kmsKeyId, owner, sealed)).toBe(SECRET);
  for (const other of [{ id: '2' }, { workspace_id: 'ws-2' }, { provider: 'fal' }]) {
    await expect(unsealSecret(kms, kmsKeyId, { ...owner, ...other }, sealed)).rejects.toThrow();
  }
});

test('a provider key that was just stored decides who serves the next request', async () => {
  const workspace = await newWorkspace();
  const ask = await inProcess({ VIDEO_PROVIDERS: JSON.stringify({ fal: {}, replicate: {} }) });
  const body = JSON.stringify({ model: 'kling/3.0-standard', prompt: 'A fox', generate_audio: true });
  const headers = { authorization: `Bearer ${workspace.key}`, 'content-type': 'application/json' };
  const server = async () => {
    const answer = await ask(
      new Request(`${stage.baseUrl}/videos/estimate`, { method: 'POST', body, headers }),
    );
    return JSON.parse(await answer.text()).endpoint;
  };
  // Without any key, the cheapest endpoint is chosen.
  expect(await server()).toMatchObject({ provider: 'fal' });
  const store = (allowed_user_ids: readonly string[]) =>
    create({ workspace_id: workspace.id, provider: 'replicate', allowed_user_ids });
  await store(['another user']);
  expect(await server()).toMatchObject({ provider: 'fal' });
  await store([(await call('GET', '/key', { key: workspace.key })).body.data.hash]);
  expect(await server()).toMatchObject({ provider: 'replicate' });
});
