import { describe, expect, test } from '@jest/globals';
import { call, newWorkspace, stage } from './stage.ts';

const key = stage.managementKey;
const webhookOf = (workspace: { id: string }) => `/workspaces/${workspace.id}/webhook`;
const URL = 'https://receiver.genway.dev/hook';

describe('the webhook settings of a workspace', () => {
  test('exist before anybody sets them', async () => {
    const workspace = await newWorkspace();
    const unset = {
      default_callback_url: null,
      disabled: null,
      signing_secrets: [{ name: 'secret-1', expires_at: null }],
    };
    for (const name of [workspace.id, workspace.slug]) {
      const answer = await call('GET', `/workspaces/${name}/webhook`, { key });
      expect([answer.status, answer.body]).toEqual([200, { data: unset }]);
    }
  });

  test('are set, shown and removed; the secrets stay', async () => {
    const workspace = await newWorkspace();
    const rotated = await call('POST', `${webhookOf(workspace)}-secret/rotate`, { key, json: {} });
    expect(rotated.body.data.signing_secrets).toEqual([
      { name: 'secret-2', expires_at: null },
      { name: 'secret-1', expires_at: expect.stringMatching(/Z$/) },
    ]);
    const put = await call('PUT', webhookOf(workspace), { key, json: { default_callback_url: URL } });
    expect(put.body.data).toEqual({ ...rotated.body.data, default_callback_url: URL });
    expect((await call('GET', webhookOf(workspace), { key })).body).toEqual(put.body);

    const deleted = await call('DELETE', webhookOf(workspace), { key });
    expect([deleted.status, deleted.body]).toEqual([200, { deleted: true }]);
    expect((await call('GET', webhookOf(workspace), { key })).body).toEqual({ data: rotated.body.data });
  });

  test.each([
    ['http://receiver.genway.dev/', /https/],
    ['https://10.0.0.7/', /IP address/],
    ['https://user:pass@receiver.genway.dev/', /credentials/],
    [undefined, /is required|a string/],
  ])('refuse the address %p', async (url, message) => {
    const { status, body } = await call('PUT', webhookOf(await newWorkspace()), {
      key,
      json: { default_callback_url: url },
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(message);
    expect(body.error.metadata.path).toBe('default_callback_url');
  });
});

test('a workspace’s secret is shown on demand, even the first one, and rotated without a body', async () => {
  const { slug } = await newWorkspace();
  const reveal = () => call('POST', `/workspaces/${slug}/webhook-secret/reveal`, { key });
  const first = await reveal();
  expect([first.status, first.body]).toEqual([
    200,
    {
      data: expect.objectContaining({ signing_secrets: [{ name: 'secret-1', expires_at: null }] }),
      secret: expect.stringMatching(/^whsec_/),
    },
  ]);
  expect((await reveal()).body).toEqual(first.body);
  const rotated = await call('POST', `/workspaces/${slug}/webhook-secret/rotate`, { key });
  expect(rotated.status).toBe(200);
  expect(rotated.body.secret).not.toBe(first.body.secret);
  expect((await reveal()).body.secret).toBe(rotated.body.secret);
  for (let rotation = 0; rotation < 3; rotation++)
    await call('POST', `/workspaces/${slug}/webhook-secret/rotate`, { key });
  const refused = await call('POST', `/workspaces/${slug}/webhook-secret/rotate`, { key });
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringMatching(/^5 secrets are active.* at 2\d{3}-.*Z, when secret-1 expires/),
  ]);
  const tested = await call('POST', `/workspaces/${slug}/webhook/test`, { key });
  expect([tested.status, tested.body.error.metadata.path]).toEqual([400, 'url']);
});
