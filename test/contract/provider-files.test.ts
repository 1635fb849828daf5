import { describe, expect, test } from '@jest/globals';
import { type CallOptions, call, form, newWorkspace, stage } from './stage.ts';

/** A workspace with an account at both providers. `fault` selects how they misbehave. */
async function newAccounts(fault?: string) {
  const workspace = await newWorkspace();
  for (const provider of ['openai', 'anthropic']) {
    const key = fault === undefined ? `sk-${crypto.randomUUID()}` : `sk-test-${fault}`;
    const json = { provider, key, workspace_id: workspace.id };
    expect((await call('POST', '/byok', { key: stage.managementKey, json })).status).toBe(201);
  }
  return workspace;
}

const operations: [string, string, () => CallOptions][] = [
  ['POST', '/files', () => ({ body: form('text') })],
  ['GET', '/files', () => ({})],
  ['GET', '/files/file-1', () => ({})],
  ['GET', '/files/file-1/content', () => ({})],
  ['DELETE', '/files/file-1', () => ({})],
];

describe.each([
  ['provider_a', 'openai'],
  ['provider_b', 'anthropic'],
])('with provider=%s', (shape, vendor) => {
  test('a file is stored at the provider, in its form, and never with us', async () => {
    const { id: workspaceId, key } = await newAccounts();
    const ask = (method: string, path: string, options: CallOptions = {}) =>
      call(method, path, { key, ...options });
    const data = new FormData();
    data.append('file', new Blob(['Ein Text'], { type: 'text/plain' }), 'Ärger.txt');
    const uploaded = await ask('POST', `/files?provider=${shape}`, { body: data });
    expect([uploaded.status, uploaded.body._shape]).toEqual([200, shape]);
    const { id } = uploaded.body;
    expect(uploaded.body).toMatchObject(
      shape === 'provider_a'
        ? { object: 'file', bytes: 8, filename: 'Ärger.txt', purpose: 'user_data', status: 'processed' }
        : {
            type: 'file',
            size_bytes: 8,
            filename: 'Ärger.txt',
            mime_type: 'text/plain',
            downloadable: false,
          },
    );
    expect((await ask('GET', '/files')).body.data).toEqual([]);
    expect((await ask('GET', `/files/${id}`)).status).toBe(404);

    for (const provider of [shape, vendor]) {
      expect((await ask('GET', `/files/${id}?provider=${provider}`)).body).toEqual(uploaded.body);
      const listed = await ask('GET', `/files?provider=${provider}`);
      expect(listed.body).toMatchObject({ _shape: shape, data: [uploaded.body], has_more: false });
    }
    const byManagement = await ask('GET', `/files/${id}?provider=${shape}&workspace_id=${workspaceId}`, {
      key: stage.managementKey,
    });
    expect(byManagement.body).toEqual(uploaded.body);

    const content = await ask('GET', `/files/${id}/content?provider=${shape}`);
    expect([content.status, content.body]).toEqual([200, 'Ein Text']);
    expect(content.headers.get('content-type')).toBe('application/octet-stream');
    expect(content.headers.get('content-disposition')).toBe('attachment');
    expect((await ask('GET', `/files/${id}/content?provider=${shape}&redirect=false`)).status).toBe(400);

    const deleted = await ask('DELETE', `/files/${id}?provider=${shape}`);
    expect(deleted.body).toEqual(
      shape === 'provider_a'
        ? { _shape: shape, id, object: 'file', deleted: true }
        : { _shape: shape, id, type: 'file_deleted' },
    );
    expect((await ask('DELETE', `/files/${id}?provider=${shape}`)).status).toBe(404);
  });

  test('binary bytes pass both ways unchanged', async () => {
    const { key } = await newAccounts();
    const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7919) % 256);
    const { body } = await call('POST', `/files?provider=${shape}`, { key, body: form(bytes, 'a.bin') });
    const response = await fetch(`${stage.baseUrl}/files/${body.id}/content?provider=${shape}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test('an upload of unknown length, which the upload server takes, gets there too', async () => {
    const { key } = await newAccounts();
    const { body, headers } = new Request(stage.baseUrl, { method: 'POST', body: form('Ein Text', 'a.txt') });
    const response = await fetch(`${stage.baseUrl}/files?provider=${shape}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': headers.get('content-type') ?? '' },
      body,
      duplex: 'half',
    });
    const uploaded = JSON.parse(await response.text());
    expect([response.status, uploaded._shape]).toEqual([200, shape]);
    const content = await call('GET', `/files/${uploaded.id}/content?provider=${shape}`, { key });
    expect(content.body).toBe('Ein Text');
  });

  test('no request passes without a provider key', async () => {
    const { key } = await newWorkspace();
    for (const [method, path, options] of operations) {
      const answer = await call(method, `${path}?provider=${shape}`, { key, ...options() });
      expect([method, path, answer.status]).toEqual([method, path, 400]);
      expect(answer.body.error.message).toContain(`this workspace has no provider key for ${vendor}`);
      expect(answer.body.error.metadata.path).toBe('provider');
    }
  });

  test.each([
    ['refusing', 400],
    ['busy', 503],
    ['broken', 502],
  ])('a provider that is %s is %p to every operation', async (fault, status) => {
    const { key } = await newAccounts(fault);
    for (const [method, path, options] of operations) {
      const answer = await call(method, `${path}?provider=${shape}`, { key, ...options() });
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '7' : null);
      expect(JSON.stringify(answer.body)).not.toMatch(/sk-test|stack trace/);
    }
  });
});

test('an unknown provider is refused, and the error lists the providers', async () => {
  const answer = await call('GET', '/files?provider=provider_c', { key: stage.apiKey });
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toMatch(/^provider: must be one of provider_a, provider_b, openai, /);
});
