import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { OpenRouter } from '@openrouter/sdk';
import { experimental_generateVideo as generateVideo } from 'ai';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { newWorkspace, stage } from './stage.ts';

/** The published SDK. Only its address differs. */
const clientOf = (apiKey: string) =>
  new OpenRouter({ serverURL: stage.baseUrl, apiKey, retryConfig: { strategy: 'none' } });
const management = clientOf(stage.managementKey);
const slug = () => `sdk-${crypto.randomUUID()}`;

describe('@openrouter/sdk', () => {
  test('creates, finds, lists, changes and deletes workspaces', async () => {
    const { data } = await management.workspaces.create({
      createWorkspaceRequest: { name: 'SDK', slug: slug(), ioLoggingApiKeyIds: [1, 2] },
    });
    expect(data).toMatchObject({ name: 'SDK', ioLoggingApiKeyIds: [1, 2], updatedAt: null });
    const updated = await management.workspaces.update({
      id: data.slug,
      updateWorkspaceRequest: { description: 'From the SDK' },
    });
    expect(updated.data.description).toBe('From the SDK');
    expect(await management.workspaces.get({ id: data.id })).toEqual(updated);
    const seen: string[] = [];
    for await (const page of await management.workspaces.list({ limit: 100 })) {
      seen.push(...page.result.data.map(({ id }) => id));
    }
    expect(seen).toContain(data.id);
    expect(await management.workspaces.delete({ id: data.id })).toEqual({ deleted: true });
    await expect(management.workspaces.get({ id: data.id })).rejects.toMatchObject({ statusCode: 404 });
  });

  test('gets typed errors', async () => {
    const { key } = await newWorkspace();
    await expect(clientOf(key).workspaces.list()).rejects.toMatchObject({ statusCode: 403 });
    await expect(
      management.workspaces.create({ createWorkspaceRequest: { name: 'Taken', slug: 'default' } }),
    ).rejects.toMatchObject({ name: 'BadRequestResponseError', error: { code: 400 } });
    await expect(clientOf('sk-gw-v1-nonsense').apiKeys.getCurrentKeyMetadata()).rejects.toMatchObject({
      name: 'UnauthorizedResponseError',
    });
  });

  test('sets, shows, lists and deletes budgets', async () => {
    const { id } = await newWorkspace();
    const set = await management.workspaces.setBudget({
      workspaceRef: id,
      interval: 'monthly',
      upsertWorkspaceBudgetRequest: { limitUsd: 25, includeByokInBudgets: true },
    });
    expect(set.data).toMatchObject({ limitUsd: 25, resetInterval: 'monthly', workspaceId: id });
    const target = { workspaceRef: id, interval: 'monthly' } as const;
    expect(await management.workspaces.getBudget(target)).toEqual(set);
    expect((await management.workspaces.listBudgets({ workspaceRef: id })).data).toEqual([set.data]);
    expect(await management.workspaces.deleteBudget(target)).toEqual({ deleted: true });
  });

  test('makes, shows, changes and deletes keys, and asks for its own', async () => {
    const { id: workspaceId } = await newWorkspace();
    const { data, key } = await management.apiKeys.create({
      requestBody: {
        name: 'SDK',
        workspaceId,
        limit: 5,
        limitReset: 'monthly',
        expiresAt: new Date('2040-01-01'),
      },
    });
    expect(data).toMatchObject({ name: 'SDK', limit: 5, limitRemaining: 5, limitReset: 'monthly', usage: 0 });
    const own = await clientOf(key).apiKeys.getCurrentKeyMetadata();
    expect(own.data).toMatchObject({ limit: 5, isManagementKey: false, workspaceId });
    const changed = await management.apiKeys.update({
      hash: data.hash,
      requestBody: { limit: 7, disabled: true },
    });
    expect(changed.data).toMatchObject({ limit: 7, disabled: true });
    expect((await management.apiKeys.get({ hash: data.hash })).data).toEqual(changed.data);
    const listed = await management.apiKeys.list({ workspaceId, includeDisabled: true });
    expect(listed.data.map(({ hash }) => hash)).toContain(data.hash);
    expect(await management.apiKeys.delete({ hash: data.hash })).toEqual({ deleted: true });
  });

  test('stores, shows, changes and deletes provider keys', async () => {
    const { id: workspaceId } = await newWorkspace();
    const { data } = await management.byok.create({
      createBYOKKeyRequest: { provider: 'openai', key: 'sk-proj-0123456789', name: 'Mine', workspaceId },
    });
    expect(data).toMatchObject({ provider: 'openai', name: 'Mine', workspaceId, label: 'sk-…6789' });
    const changed = await management.byok.update({
      id: data.id,
      updateBYOKKeyRequest: { disabled: true },
    });
    expect(changed.data.disabled).toBe(true);
    expect((await management.byok.get({ id: data.id })).data).toEqual(changed.data);
    const ids: string[] = [];
    for await (const page of await management.byok.list({ workspaceId })) {
      ids.push(...page.result.data.map(({ id }) => id));
    }
    expect(ids).toEqual([data.id]);
    expect(await management.byok.delete({ id: data.id })).toEqual({ deleted: true });
  });

  test('reads credits', async () => {
    expect(await management.credits.getCredits()).toEqual({
      data: { totalCredits: expect.any(Number), totalUsage: expect.any(Number) },
    });
  });

  test('lists models, submits a video, polls it and downloads it', async () => {
    const { key } = await newWorkspace();
    const { videoGeneration } = clientOf(key);
    const models = await videoGeneration.listVideosModels();
    expect(models.data.map(({ id }) => id)).toContain('sandbox/clip-1');
    const submitted = await videoGeneration.generate({
      videoGenerationRequest: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, size: '640x360' },
    });
    expect(submitted.status).toBe('pending');
    let job = submitted;
    while (job.status === 'pending' || job.status === 'in_progress') {
      await wait(250);
      job = await videoGeneration.getGeneration({ jobId: submitted.id });
    }
    expect(job).toMatchObject({ status: 'completed', usage: { cost: 0.01, isByok: false } });
    const content = await videoGeneration.getVideoContent({ jobId: job.id });
    const bytes = Buffer.from(await new Response(content).arrayBuffer());
    expect(describeMp4(bytes)).toMatchObject({ width: 640, height: 360 });
    const next = { model: 'sandbox/clip-1', prompt: 'It runs off', previousJobId: job.id };
    expect((await videoGeneration.generate({ videoGenerationRequest: next })).status).toBe('pending');
    await expect(
      videoGeneration.generate({ videoGenerationRequest: { ...next, size: '640x360' } }),
    ).rejects.toMatchObject({ name: 'BadRequestResponseError' });
    await expect(
      videoGeneration.generate({ videoGenerationRequest: { model: 'no/such', prompt: 'A fox' } }),
    ).rejects.toMatchObject({ name: 'NotFoundResponseError' });
  });

  test('uploads, lists, downloads and deletes files', async () => {
    const { key } = await newWorkspace();
    const { files } = clientOf(key);
    const raw = (value: unknown) => (value as { raw?: Record<string, unknown> }).raw ?? value;
    const stored = raw(
      await files.upload({ requestBody: { file: new File(['{"a":1}'], 'naïve "a".json') } }),
    ) as { id: string };
    expect(stored).toMatchObject({ mime_type: 'application/json', filename: 'naïve "a".json' });
    expect(raw(await files.retrieve({ fileId: stored.id }))).toEqual(stored);
    const downloaded = await files.download({ fileId: stored.id });
    expect(await text(downloaded)).toBe('{"a":1}');
    expect(raw(await files.delete({ fileId: stored.id }))).toMatchObject({
      id: stored.id,
      type: 'file_deleted',
    });
    await expect(files.retrieve({ fileId: stored.id })).rejects.toMatchObject({ statusCode: 404 });
  });
});

test('the AI SDK’s provider makes a video from an image', async () => {
  const { key } = await newWorkspace();
  const openrouter = createOpenRouter({ baseURL: stage.baseUrl, apiKey: key });
  const { video } = await generateVideo({
    model: openrouter.videoModel('sandbox/clip-1'),
    prompt: { text: 'A fox', image: await readFile('test/fixtures/files/accepted/ffmpeg.png') },
    duration: 1,
    resolution: '640x360',
    // By default the AI SDK downloads without the key, and refuses local addresses.
    download: async ({ url }) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      const mediaType = response.headers.get('content-type') ?? undefined;
      return { data: new Uint8Array(await response.arrayBuffer()), mediaType };
    },
  });
  expect(video.mediaType).toBe('video/mp4');
  expect(describeMp4(Buffer.from(video.uint8Array))).toMatchObject({ width: 640, height: 360 });
});
