import { describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '../../functions/audit/audit-entry.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const key = stage.managementKey;

describe('the report of activity', () => {
  test('shows today’s jobs of a key and their cost', async () => {
    const workspace = await newWorkspace();
    const video = (outcome: string) => ({
      model: 'sandbox/clip-1',
      prompt: 'A fox',
      duration: 2,
      provider: { options: { sandbox: { outcome, latency_s: 0 } } },
    });
    for (const outcome of ['completed', 'failed']) {
      const { body } = await call('POST', '/videos', { key: workspace.key, json: video(outcome) });
      await endedVideo(body.id, workspace.key);
    }
    const today = new Date().toISOString().slice(0, 10);
    const lineOf = async (group: string, field: string, name: string) => {
      const { status, body } = await call('GET', `/activity?date=${today}&group_by=${group}`, { key });
      expect(status).toBe(200);
      return body.data.find((line: Record<string, unknown>) => line[field] === name);
    };
    const counts = { date: today, jobs: 2, completed: 1, seconds: 2, cost: 0.02 };
    const ofKey = await until(
      () => lineOf('key', 'key_hash', hashKey(workspace.key)),
      (line) => line?.jobs === 2,
    );
    expect(ofKey).toMatchObject({ ...counts, key_hash: hashKey(workspace.key) });
    expect(await lineOf('workspace', 'workspace_id', workspace.id)).toMatchObject({
      ...counts,
      workspace_id: workspace.id,
    });
    const { body } = await call('GET', '/activity', { key });
    expect(body.data[0].date).toBe(today);
  });

  test.each([
    ['date=today', /^date: must be a date in UTC/],
    ['group_by=keys', /^group_by: must be one of workspace, key, model, provider, user; did you mean key\?$/],
  ])('with %s is refused', async (query, message) => {
    const { status, body } = await call('GET', `/activity?${query}`, { key });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe('the audit trail', () => {
  test('shows who changed what, and no texts that were sent', async () => {
    const since = new Date().toISOString();
    const { id } = await newWorkspace();
    const json = { description: 'planted-description', video_retention_days: 3 };
    await call('PATCH', `/workspaces/${id}`, { key, json, headers: { 'x-request-id': `patch-${id}` } });
    await call('DELETE', '/workspaces/default', { key, headers: { 'x-request-id': `delete-${id}` } });
    await call('GET', `/workspaces/${id}`, { key, headers: { 'x-request-id': `get-${id}` } });
    const { body } = await call('GET', `/audit?since=${since}&limit=100`, { key });
    const mine = body.data.filter(({ request_id }: { request_id: string }) => request_id.endsWith(id));
    const entry = { at: expect.any(String), key_hash: hashKey(key), session_hash: null, subject: null };
    expect(mine).toEqual([
      {
        ...entry,
        action: 'delete-workspace',
        target: { workspace: 'default' },
        fields: [],
        changes: [],
        request_id: `delete-${id}`,
        status: 400,
      },
      {
        ...entry,
        action: 'update-workspace',
        target: { workspace: id },
        fields: ['description', 'video_retention_days'],
        changes: [{ field: 'video_retention_days', from: 'null', to: '3' }],
        request_id: `patch-${id}`,
        status: 200,
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('planted-description');
  });

  test('shows what a management key did with the files and jobs of a workspace, and nothing of API keys', async () => {
    const { id, key: own } = await newWorkspace();
    const since = new Date().toISOString();
    const form = new FormData();
    form.set('file', new Blob(['fox']), 'fox.txt');
    const uploaded = await call('POST', `/files?workspace_id=${id}`, { key, body: form });
    const path = `/files/${uploaded.body.id}`;
    await call('GET', `${path}/content`, { key: own });
    await call('GET', `${path}/content?workspace_id=${id}`, { key });
    await call('DELETE', `${path}?workspace_id=${id}`, { key });
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, workspace_id: id };
    await call('POST', '/videos', { key, json });
    const { body } = await call('GET', `/audit?since=${since}&limit=100`, { key });
    const mine = body.data.filter(({ target }: AuditEntry) => target.workspace_id === id);
    expect(mine.map(({ action, target }: AuditEntry) => [action, target.file])).toEqual([
      ['submit-video', undefined],
      ['delete-file', uploaded.body.id],
      ['get-file-content', uploaded.body.id],
      ['upload-file', undefined],
    ]);
  });

  test('shows who got links to the video of a job, once there is one, and in which workspace', async () => {
    const { id, key: own } = await newWorkspace();
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
    const { body: job } = await call('POST', '/videos', { key: own, json });
    const path = `/videos/${job.id}`;
    await call('GET', path, { key });
    await endedVideo(job.id, own);
    const since = new Date().toISOString();
    const { body: reader } = await call('POST', '/keys', {
      key,
      json: { name: 'Reader', management: true, scope: { operations: ['read'] } },
    });
    expect((await call('GET', path, { key: own })).body.urls).toHaveLength(1);
    expect((await call('GET', path, { key: reader.key })).body.urls).toBeUndefined();
    expect((await call('GET', path, { key })).body.urls).toHaveLength(1);
    expect((await call('GET', `/videos?workspace_id=${id}`, { key })).body.data[0].urls).toHaveLength(1);
    const { body } = await call('GET', `/audit?since=${since}&limit=100`, { key });
    const mine = body.data.filter(({ target }: AuditEntry) => target.workspace_id === id);
    expect(mine).toMatchObject([
      { action: 'list-videos', target: { workspace_id: id }, status: 200 },
      { action: 'get-video', target: { workspace_id: id, video: job.id }, status: 200 },
    ]);
    const { body: before } = await call('GET', '/audit?limit=100', { key });
    const ofJob = before.data.filter(({ target }: AuditEntry) => target.video === job.id);
    expect(ofJob).toHaveLength(1);
  });

  test('continues from a cursor, filters by action, and refuses an invalid cursor', async () => {
    await newWorkspace();
    const first = await call('GET', '/audit?limit=1', { key });
    expect(first.body).toMatchObject({ has_more: true, cursor: expect.any(String) });
    const second = await call('GET', `/audit?limit=1&cursor=${encodeURIComponent(first.body.cursor)}`, {
      key,
    });
    expect(second.body.data[0].at <= first.body.data[0].at).toBe(true);
    expect(second.body.data[0].request_id).not.toBe(first.body.data[0].request_id);
    expect((await call('GET', '/audit?cursor=x', { key })).status).toBe(400);
    const ofOne = await call('GET', '/audit?action=create-key&limit=2', { key });
    expect(ofOne.body.data.map(({ action }: AuditEntry) => action)).toEqual(['create-key', 'create-key']);
    expect((await call('GET', '/audit?action=', { key })).status).toBe(400);
  });
});
