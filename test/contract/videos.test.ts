import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { type Delivery, openReceiver, verifyDelivery } from '../../local/demo/receiver.ts';
import { call, form, newWorkspace, stage } from './stage.ts';
import { endedVideo, startedVideo } from './until.ts';

const request = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, size: '640x360' };
const submit = (change: Record<string, unknown> = {}, key = stage.apiKey) =>
  call('POST', '/videos', { key, json: { ...request, ...change } });

const ended = (id: string, key = stage.apiKey) => endedVideo(id, key);

describe('a video', () => {
  test('is submitted, made, polled, downloaded and reported by a webhook', async () => {
    const workspace = await newWorkspace();
    const rotated = await call('POST', `/workspaces/${workspace.slug}/webhook-secret/rotate`, {
      key: stage.managementKey,
      json: { overlap_hours: 0 },
    });
    expect(rotated.body.secret).toMatch(/^whsec_/);
    const receiver = await openReceiver();

    const accepted = await submit(
      { callback_url: receiver.url, seed: 3, generate_audio: true },
      workspace.key,
    );
    expect(accepted.status).toBe(202);
    const { id } = accepted.body;
    expect(accepted.body).toEqual({
      id: expect.stringMatching(/^vid_[0-9a-z]{26}$/),
      polling_url: `/api/v1/videos/${id}`,
      status: 'pending',
      model: 'sandbox/clip-1',
      provider: 'sandbox',
      created_at: expect.any(String),
      estimated_cost: 0.01,
      max_cost: 0.01,
    });

    const { body: shown } = await ended(id, workspace.key);
    // Only the caller gets `urls`, because they need no key.
    const { urls, ...job } = shown;
    expect(urls).toHaveLength(1);
    expect(job).toMatchObject({
      id,
      status: 'completed',
      generation_id: expect.stringMatching(/^gen_/),
      unsigned_urls: [`${stage.baseUrl}/videos/${id}/content?index=0`],
      usage: { cost: 0.01, is_byok: false },
      progress: 100,
    });

    const told = await call('GET', `/videos/${id}/content?redirect=false`, { key: workspace.key });
    expect(told.body).toMatchObject({ url: expect.stringMatching(/^http/), expires_at: expect.any(String) });
    const content = await call('GET', `/videos/${id}/content`, { key: workspace.key });
    expect(content.status).toBe(302);
    const url = content.headers.get('location')!;
    const download = await fetch(url);
    expect(download.headers.get('content-type')).toBe('video/mp4');
    const bytes = new Uint8Array(await download.arrayBuffer());
    expect(describeMp4(bytes)).toMatchObject({ width: 640, height: 360, durationSeconds: 1, hasAudio: true });
    const range = await fetch(url, { headers: { range: 'bytes=4-7' } });
    expect([range.status, await range.text()]).toEqual([206, 'ftyp']);

    const delivery = await receiver.delivery;
    receiver.close();
    expect(delivery.headers['webhook-id']).toBe(`msg_${id.slice(4)}`);
    expect(verifyDelivery(delivery, rotated.body.secret)).toEqual({
      type: 'video.generation.completed',
      timestamp: expect.any(String),
      data: { workspace_id: workspace.id, ...job },
    });
  });

  test.concurrent('is kept for as long as its workspace says', async () => {
    const { id, key } = await newWorkspace();
    const change = { key: stage.managementKey, json: { video_retention_days: 7 } };
    const changed = await call('PATCH', `/workspaces/${id}`, change);
    expect(changed.body.data.video_retention_days).toBe(7);
    const other = (await newWorkspace()).key;
    const prefixes = await Promise.all(
      [key, other].map(async (caller) => {
        const { body } = await submit({ provider: { options: { sandbox: { latency_s: 0 } } } }, caller);
        await ended(body.id, caller);
        const content = await call('GET', `/videos/${body.id}/content`, { key: caller });
        return content.headers.get('location');
      }),
    );
    expect(prefixes).toEqual([expect.stringContaining('/kept-7d/'), expect.stringContaining('/kept-30d/')]);
  });

  test('of another workspace is not found, like one that does not exist', async () => {
    const { key } = await newWorkspace();
    const { body } = await submit({}, key);
    const foreign = await call('GET', `/videos/${body.id}`, { key: stage.apiKey });
    const unknown = await call('GET', `/videos/vid_${'0'.repeat(26)}`, { key: stage.apiKey });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect((await call('GET', `/videos/${body.id}`, { key: stage.managementKey })).status).toBe(200);
  });

  test('has no content before it is completed', async () => {
    const { body } = await submit({ provider: { options: { sandbox: { latency_s: 600 } } } });
    const content = await call('GET', `/videos/${body.id}/content`, { key: stage.apiKey });
    expect(content.status).toBe(409);
    expect(content.body.error.metadata.error_type).toBe('conflict');
  });

  test.concurrent.each([
    ['moderation', { outcome: 'moderated' }, /^Refused by the provider’s moderation: /],
    ['a result that is no video', { outcome: 'html_instead_of_mp4' }, /not a complete MP4/],
    ['a result cut short', { outcome: 'truncated_bytes' }, /not a complete MP4/],
  ])('that ends in %s fails with a reason and costs nothing', async (_, sandbox, error) => {
    const { body } = await submit({ provider: { options: { sandbox: { ...sandbox, latency_s: 0 } } } });
    const { body: job } = await ended(body.id);
    expect(job).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
    expect(job).toHaveProperty('usage.cost', 0);
    expect((await call('GET', `/videos/${job.id}/content`, { key: stage.apiKey })).status).toBe(409);
  });
});

describe('an input of a video', () => {
  const fixture = (name: string) =>
    readFileSync(resolve(import.meta.dirname, '../fixtures/files/accepted', name));
  const frame = (url: string) => ({
    frame_images: [{ type: 'image_url', image_url: { url }, frame_type: 'first_frame' }],
  });
  const inline = `data:image/png;base64,${fixture('ffmpeg.png').toString('base64')}`;

  async function upload(name: string, key: string): Promise<string> {
    const { body } = await call('POST', '/files', { key, body: form(fixture(name), name) });
    return body.id;
  }

  test.concurrent('may be an image in the request, or a file of the workspace; both reach the provider', async () => {
    const { key } = await newWorkspace();
    const file = await upload('ffmpeg.png', key);
    const submits = await Promise.all([inline, file].map((url) => submit(frame(url), key)));
    expect(submits.map(({ status }) => status)).toEqual([202, 202]);
    const answers = await Promise.all(submits.map(({ body }) => ended(body.id, key)));
    expect(answers.map(({ body }) => body.status)).toEqual(['completed', 'completed']);
  });

  test.concurrent('that is deleted before the provider gets it fails the job', async () => {
    const { key } = await newWorkspace();
    const file = await upload('ffmpeg.png', key);
    // The first submit is delayed, so the second submit reads the file.
    const sandbox = { submit: 429, submit_lasts_s: 3, retry_after: 4 };
    const { body } = await submit({ ...frame(file), provider: { options: { sandbox } } }, key);
    expect((await call('DELETE', `/files/${file}`, { key })).status).toBe(200);
    expect((await ended(body.id, key)).body).toMatchObject({
      status: 'failed',
      error: `An input cannot be used: the file ${file} has been deleted or has expired`,
    });
  });

  test('is refused if its type does not fit its use, or if it belongs to another workspace', async () => {
    const { key } = await newWorkspace();
    const sound = await upload('lame-id3v2.mp3', key);
    const refusals = await Promise.all([
      submit(frame(sound), key),
      submit(frame(sound)),
      submit(frame(`data:image/png;base64,${fixture('reportlab.pdf').toString('base64')}`), key),
      submit(frame('https://10.0.0.1/1.png'), key),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.error.message])).toEqual([
      [400, `frame_images: ${sound} is audio/mpeg, but an image is required`],
      [400, `frame_images: ${sound} does not exist in this workspace`],
      [400, 'frame_images: the inline data is not an image of a known type, such as PNG, JPEG or WebP'],
      [400, 'frame_images: the URL must have a host name, not an IP address'],
    ]);
  });
});

describe('a cancelled video', () => {
  test('is cancelled at once, and its history says so', async () => {
    const { key } = await newWorkspace();
    const { body } = await submit({ provider: { options: { sandbox: { latency_s: 600 } } } }, key);
    const pending = await call('GET', `/videos/${body.id}`, { key });
    expect(Number(pending.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    await startedVideo(body.id, key);
    const cancelled = await call('POST', `/videos/${body.id}/cancel`, { key });
    expect(cancelled.status).toBe(200);
    expect(cancelled.body).toMatchObject({ id: body.id, status: 'cancelled' });
    expect(cancelled.body).toHaveProperty('usage.cost', 0);
    const again = await call('POST', `/videos/${body.id}/cancel`, { key });
    expect([again.status, again.body]).toEqual([200, cancelled.body]);

    const { body: events } = await call('GET', `/videos/${body.id}/events`, { key });
    expect(events.data[0].status).toBe('pending');
    expect(events.data.at(-1)).toMatchObject({ status: 'cancelled', detail: 'Cancelled by the caller' });
  });
});

describe('the list of videos', () => {
  test('has only the workspace’s own, newest first, by status and in pages', async () => {
    const { key } = await newWorkspace();
    const waiting = { provider: { options: { sandbox: { latency_s: 600 } } } };
    const ids: string[] = [];
    for (const _ of [1, 2, 3]) ids.unshift((await submit(waiting, key)).body.id);
    await startedVideo(ids[1] ?? '', key);
    await call('POST', `/videos/${ids[1]}/cancel`, { key });
    const list = async (query: string) => (await call('GET', `/videos${query}`, { key })).body;
    const named = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

    expect(named(await list(''))).toEqual(ids);
    const first = await list('?limit=2');
    expect(first).toMatchObject({ has_more: true, cursor: ids[1] });
    const second = await list(`?limit=2&cursor=${first.cursor}`);
    expect([named(first), named(second)].flat()).toEqual(ids);
    expect(second).toMatchObject({ has_more: false, cursor: null });
    expect(named(await list('?status=cancelled'))).toEqual([ids[1]]);
  });

  test('is chosen by model, by key and by time', async () => {
    const { id, key } = await newWorkspace();
    const other = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'other', workspace_id: id },
    });
    const first = await submit({}, key);
    const second = await submit({}, other.body.key);
    const list = async (query: string) => {
      const { body } = await call('GET', `/videos?${query}`, { key });
      return body.data.map((job: { id: string }) => job.id);
    };
    const both = [second.body.id, first.body.id];
    expect(await list('model=sandbox/clip-1')).toEqual(both);
    expect(await list('model=no/such')).toEqual([]);
    expect(await list(`key=${other.body.data.hash}`)).toEqual([second.body.id]);
    expect(await list(`key=${'0'.repeat(64)}`)).toEqual([]);
    const { created_at: then } = (await call('GET', `/videos/${second.body.id}`, { key })).body;
    expect(await list(`since=${then}`)).toEqual([second.body.id]);
    expect(await list(`until=${then}`)).toEqual([first.body.id]);
    expect(await list(`since=${then}&until=${then}`)).toEqual([]);
    expect(await list('since=2001-01-01T00:00:00Z&limit=100')).toEqual(both);
  });

  test('continues from any cursor, but only within the workspace’s own jobs', async () => {
    const [mine, others] = [await newWorkspace(), await newWorkspace()];
    const foreign = (await submit({}, others.key)).body.id;
    const own = (await submit({}, mine.key)).body.id;
    const forged = [...'0123456789abcdefghjkmnpqrstvwxyz'].map((digit) => `vid_${digit.repeat(26)}`);
    for (const cursor of [foreign, own, ...forged]) {
      const { status, body } = await call('GET', `/videos?cursor=${cursor}`, { key: mine.key });
      const ids = body.data.map(({ id }: { id: string }) => id);
      expect([status, ids]).toEqual([200, own < cursor ? [own] : []]);
    }
  });

  test.each([
    ['status=done', /^status: must be one of pending, /],
    ['limit=0', /^limit: must be a whole number from 1 to 100$/],
    ['limit=101', /^limit: /],
    ['cursor=x', /^cursor: must be the cursor of the previous page$/],
    ['key=sk-gw-v1-mine', /^key: must be the hash of a key$/],
    ['since=yesterday', /^since: must be an ISO 8601 date and time with a time zone/],
    ['until=2030-01-01', /^until: must be an ISO 8601 date and time with a time zone/],
    [
      'since=2030-01-02T00:00:00Z&until=2030-01-01T00:00:00Z',
      /^since: must not be later than the value of until$/,
    ],
  ])('with %s is refused', async (query, message) => {
    const { status, body } = await call('GET', `/videos?${query}`, { key: stage.apiKey });
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe('a submit', () => {
  test.each<[number, string, Record<string, unknown>, RegExp]>([
    [404, 'an unknown model', { model: 'no/such' }, /^model: there is no "no\/such"/],
    [400, 'no prompt', { prompt: undefined }, /^prompt: is required/],
    [
      400,
      'a duration that the model cannot do',
      { duration: 99 },
      /^duration: 99 is not supported by sandbox\/clip-1; supported: 1 to 15$/,
    ],
    [400, 'a size that it cannot do', { size: '1x1' }, /^size: 1x1 is not supported/],
    [400, 'a callback without TLS', { callback_url: 'http://example.com/' }, /^callback_url: /],
    [400, 'a callback to inside', { callback_url: 'https://169.254.169.254/' }, /^callback_url: /],
  ])('answers %i to %s', async (status, _, change, message) => {
    const answer = await submit(change);
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(status);
    expect(answer.body.error.message).toMatch(message);
  });
});

describe('the list of models', () => {
  test('is public, cacheable, and complete for strict clients', async () => {
    const { status, body, headers } = await call('GET', '/videos/models');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=60');
    expect(body.data).toContainEqual(
      expect.objectContaining({
        id: 'sandbox/clip-1',
        supported_durations: expect.arrayContaining([1, 15]),
        supported_sizes: expect.arrayContaining(['1280x720']),
        pricing_skus: { duration_seconds: '0.01', duration_seconds_with_audio: '0.01' },
        seed: true,
      }),
    );
  });
});

describe('a webhook', () => {
  test.concurrent('goes to the workspace’s default address, and is retried after a failure', async () => {
    const workspace = await newWorkspace();
    const deliveries: Delivery[] = [];
    const { promise, resolve: arrived } = Promise.withResolvers<void>();
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        deliveries.push({ body: Buffer.concat(chunks).toString(), headers: incoming.headers });
        response.writeHead(deliveries.length === 1 ? 500 : 204).end();
        if (deliveries.length === 2) arrived();
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/default`;
    const set = await call('PUT', `/workspaces/${workspace.id}/webhook`, {
      key: stage.managementKey,
      json: { default_callback_url: url },
    });
    expect(set.status).toBe(200);
    expect(set.body.data.default_callback_url).toBe(url);

    const options = { sandbox: { outcome: 'failed', latency_s: 0 } };
    const { body } = await submit({ provider: { options } }, workspace.key);
    await promise;
    server.close();
    const [first, second] = deliveries;
    expect(JSON.parse(first!.body)).toMatchObject({
      type: 'video.generation.failed',
      data: { id: body.id, status: 'failed' },
    });
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });
});
