import { describe, expect, test } from '@jest/globals';
import { OpenRouter } from '@openrouter/sdk';
import { call, newWorkspace, stage } from './stage.ts';

const key = stage.managementKey;
/** The published SDK. Only its address differs. */
const sdk = new OpenRouter({
  serverURL: stage.baseUrl,
  apiKey: stage.managementKey,
  retryConfig: { strategy: 'none' },
});

const VIDEO = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
const submit = (workspace: { key: string }, change: object = {}) =>
  call('POST', '/videos', { key: workspace.key, json: { ...VIDEO, ...change } });
const estimate = (workspace: { key: string }, change: object = {}) =>
  call('POST', '/videos/estimate', { key: workspace.key, json: { ...VIDEO, ...change } });

async function ownGuardrailOf({ id }: { id: string }): Promise<string> {
  return (await call('GET', `/workspaces/${id}`, { key })).body.data.default_guardrail_id;
}

describe('@openrouter/sdk', () => {
  test('creates, reads, changes, lists and deletes guardrails', async () => {
    const workspace = await newWorkspace();
    const { data } = await sdk.guardrails.create({
      createGuardrailRequest: {
        name: 'Trailers',
        workspaceId: workspace.id,
        allowedModels: ['sandbox/clip-1'],
        limitUsd: 12.5,
        resetInterval: 'weekly',
        enforceZdr: false,
        contentFilters: null,
      },
    });
    expect(data).toMatchObject({
      name: 'Trailers',
      workspaceId: workspace.id,
      allowedModels: ['sandbox/clip-1'],
      ignoredModels: null,
      allowedProviders: null,
      limitUsd: 12.5,
      resetInterval: 'weekly',
      includeByokInBudgets: false,
      updatedAt: null,
    });
    expect(await sdk.guardrails.get({ id: data.id })).toEqual({ data });
    const changed = await sdk.guardrails.update({
      id: data.id,
      updateGuardrailRequest: { description: 'For trailers', limitUsd: null, ignoredProviders: ['fal'] },
    });
    expect(changed.data).toMatchObject({
      description: 'For trailers',
      limitUsd: null,
      ignoredProviders: ['fal'],
      allowedModels: ['sandbox/clip-1'],
    });
    const own = await ownGuardrailOf(workspace);
    const seen: string[] = [];
    for await (const page of await sdk.guardrails.list({ workspaceId: workspace.id })) {
      expect(page.result.totalCount).toBe(2);
      seen.push(...page.result.data.map(({ id }) => id));
    }
    expect(seen).toEqual([own, data.id]);
    expect(await sdk.guardrails.delete({ id: data.id })).toEqual({ deleted: true });
    await expect(sdk.guardrails.get({ id: data.id })).rejects.toMatchObject({ statusCode: 404 });
    await expect(sdk.guardrails.delete({ id: own })).rejects.toMatchObject({ statusCode: 409 });
  });

  test('assigns keys, lists them and takes them back', async () => {
    const workspace = await newWorkspace();
    const { data: made } = await sdk.guardrails.create({
      createGuardrailRequest: {
        name: 'Assigned',
        workspaceId: workspace.id,
        ignoredModels: ['sandbox/clip-1'],
      },
    });
    const { data: key } = await sdk.apiKeys.create({
      requestBody: { name: 'Assigned', workspaceId: workspace.id },
    });
    const request = { keyHashes: [key.hash] };
    const { id } = made;
    expect(await sdk.guardrails.bulkAssignKeys({ id, bulkAssignKeysRequest: request })).toEqual({
      assignedCount: 1,
    });
    const assignment = {
      guardrailId: id,
      keyHash: key.hash,
      keyName: 'Assigned',
      keyLabel: key.label,
      assignedBy: null,
    };
    const { result: one } = await sdk.guardrails.listGuardrailKeyAssignments({ id });
    expect(one).toEqual({ data: [expect.objectContaining(assignment)], totalCount: 1 });
    const seen: unknown[] = [];
    for await (const page of await sdk.guardrails.listKeyAssignments({ limit: 100 })) {
      seen.push(...page.result.data);
    }
    expect(seen).toContainEqual(expect.objectContaining(assignment));
    expect(await sdk.guardrails.bulkUnassignKeys({ id, bulkUnassignKeysRequest: request })).toEqual({
      unassignedCount: 1,
    });
    expect((await sdk.guardrails.listGuardrailKeyAssignments({ id })).result.totalCount).toBe(0);
    await expect(
      sdk.guardrails.bulkAssignKeys({ id, bulkAssignKeysRequest: { keyHashes: ['0'.repeat(64)] } }),
    ).rejects.toMatchObject({ name: 'NotFoundResponseError' });
    await expect(sdk.guardrails.listMemberAssignments()).rejects.toMatchObject({
      statusCode: 404,
      body: expect.stringContaining('Genway has keys instead of users'),
    });
  });

  test('learns which name is wrong, and what is not supported', async () => {
    const create = (fields: object) =>
      sdk.guardrails.create({ createGuardrailRequest: { name: 'Wrong', ...fields } });
    await expect(create({ allowedModels: ['acme/hare'] })).rejects.toMatchObject({
      name: 'BadRequestResponseError',
      message: expect.stringContaining('allowed_models: there is no model or endpoint "acme/hare"'),
    });
    await expect(create({ enforceZdr: true })).rejects.toMatchObject({
      message: expect.stringContaining('enforce_zdr: is not enforced by Genway'),
    });
  });
});

describe('a submit', () => {
  test('is refused by the rules of the workspace’s default guardrail', async () => {
    const workspace = await newWorkspace();
    const own = await ownGuardrailOf(workspace);
    const { body, status } = await call('PATCH', `/guardrails/${own}`, {
      key,
      json: { ignored_providers: ['sandbox'] },
    });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ id: own, name: 'Default guardrail' }),
    ]);
    for (const answer of [await submit(workspace), await estimate(workspace)]) {
      expect(answer).toMatchObject({
        status: 404,
        body: {
          error: {
            message: expect.stringContaining('its ignored_providers: sandbox'),
            metadata: {
              error_type: 'not_found',
              path: 'model',
              rule: 'ignored_providers',
              guardrail_id: own,
            },
          },
        },
      });
    }
  });

  test('holds its estimate in the limit of the guardrail that its workspace names', async () => {
    const workspace = await newWorkspace();
    const made = await call('POST', '/guardrails', {
      key,
      json: {
        name: 'A cent a month',
        workspace_id: workspace.slug,
        limit_usd: 0.015,
        reset_interval: 'monthly',
      },
    });
    expect(made).toMatchObject({ status: 201, body: { data: { limit_usd: 0.015 } } });
    const path = `/guardrails/${made.body.data.id}`;
    const name = (id: string | null) =>
      call('PATCH', `/workspaces/${workspace.id}`, { key, json: { default_guardrail_id: id } });
    expect(await name(crypto.randomUUID())).toMatchObject({
      status: 400,
      body: { error: { metadata: { path: 'default_guardrail_id' } } },
    });
    expect((await name(made.body.data.id)).body.data.default_guardrail_id).toBe(made.body.data.id);
    expect(await call('DELETE', path, { key })).toMatchObject({ status: 409 });

    expect((await estimate(workspace)).body).toMatchObject({ cost: 0.01, fits: true, remaining: 0.015 });
    expect((await submit(workspace)).status).toBe(202);
    expect(await submit(workspace)).toMatchObject({
      status: 402,
      body: {
        error: {
          message:
            'The maximum cost of $0.01 exceeds the remaining amount of the guardrail’s monthly limit: $0.005 of $0.015',
          metadata: { scope: 'guardrail', interval: 'monthly', limit_usd: 0.015 },
        },
      },
    });
    expect((await estimate(workspace)).body).toMatchObject({ fits: false, remaining: 0.005 });
    // A new limit applies at once, also in functions that have read the old one.
    await call('PATCH', path, { key, json: { limit_usd: 0.02 } });
    expect((await submit(workspace)).status).toBe(202);
  });

  test('uses the guardrail that its key names instead of its workspace’s', async () => {
    const workspace = await newWorkspace();
    const make = async (path: string, json: object) => {
      const { status, body } = await call('POST', path, {
        key,
        json: { workspace_id: workspace.id, name: 'Keys', ...json },
      });
      expect(status).toBe(201);
      return body;
    };
    const { data } = await make('/guardrails', { ignored_models: ['sandbox/clip-1'] });
    const own = await make('/keys', { guardrail_id: data.id });
    expect(own.data.guardrail_id).toBe(data.id);
    for (const answer of [await submit(own), await estimate(own)]) {
      expect(answer).toMatchObject({ status: 404, body: { error: { metadata: { guardrail_id: data.id } } } });
    }
    expect((await submit(workspace)).status).toBe(202);
    expect((await submit({ key }, { workspace_id: workspace.id })).status).toBe(202);

    const path = `/keys/${own.data.hash}`;
    const remove = () => call('DELETE', `/guardrails/${data.id}`, { key });
    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining(own.data.hash) } },
    });
    const freed = await call('PATCH', path, { key, json: { guardrail_id: null } });
    expect(freed.body.data.guardrail_id).toBeNull();
    expect(await remove()).toMatchObject({ status: 200 });
    expect(await call('PATCH', path, { key, json: { guardrail_id: data.id } })).toMatchObject({
      status: 400,
      body: { error: { metadata: { path: 'guardrail_id' } } },
    });
  });

  test('uses the target workspace’s guardrail if a management key with a guardrail acts in another workspace', async () => {
    const json = { name: 'At home', ignored_models: ['sandbox/clip-1'] };
    const { data } = (await call('POST', '/guardrails', { key, json })).body;
    const manager = await call('POST', '/keys', {
      key,
      json: { name: 'Manager', management: true, guardrail_id: data.id },
    });
    const elsewhere = await newWorkspace();
    expect((await submit(manager.body)).status).toBe(404);
    expect((await submit(manager.body, { workspace_id: elsewhere.id })).status).toBe(202);
    expect(await call('DELETE', `/keys/${manager.body.data.hash}`, { key })).toMatchObject({ status: 200 });
    expect(await call('DELETE', `/guardrails/${data.id}`, { key })).toMatchObject({ status: 200 });
  });
});
