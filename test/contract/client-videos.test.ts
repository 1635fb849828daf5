import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { call, form as fileForm, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

/** The official client. Only its address differs. */
const clientOf = (apiKey: string) => new OpenAI({ baseURL: stage.baseUrl, apiKey, maxRetries: 0 });

const PNG = readFileSync(join(import.meta.dirname, '../fixtures/files/accepted/ffmpeg.png'));
const image = () => new File([PNG], 'fox.png', { type: 'image/png' });
const asked: Record<string, string> = {
  model: 'sandbox/clip-1',
  prompt: 'A fox',
  seconds: '1',
  size: '640x360',
};
/** The client's types name only models and sizes of OpenAI's own service. */
const askedOf = (change: object = {}): OpenAI.VideoCreateParams => ({ prompt: '', ...asked, ...change });

const form = (fields: Record<string, string | File>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
let videos: OpenAI['videos'];
beforeAll(async () => {
  workspace = await newWorkspace();
  videos = clientOf(workspace.key).videos;
});

describe('openai', () => {
  test('creates a video from an image, waits for it, downloads and deletes it', async () => {
    const created = await videos.create(askedOf({ input_reference: image() }));
    expect(created).toMatchObject({
      object: 'video',
      status: 'queued',
      progress: 0,
      seconds: '1',
      size: '640x360',
    });
    const { status, ...ended } = await until(
      () => videos.retrieve(created.id),
      (video) => video.status !== 'queued' && video.status !== 'in_progress',
    );
    expect([status, ended.progress, ended.error]).toEqual(['completed', 100, null]);
    expect(Number(ended.expires_at) - Number(ended.completed_at)).toBe(30 * 86_400);
    const content = await videos.downloadContent(created.id, { variant: 'video' });
    expect(content.headers.get('content-type')).toBe('video/mp4');
    expect(describeMp4(Buffer.from(await content.arrayBuffer()))).toMatchObject({ width: 640, height: 360 });
    for (const variant of ['thumbnail', 'spritesheet'] as const) {
      const preview = await until(
        () => videos.downloadContent(created.id, { variant }).catch(() => undefined),
        (answer) => answer !== undefined,
      );
      expect(preview?.headers.get('content-type')).toBe('image/jpeg');
    }
    expect(await videos.delete(created.id)).toEqual({
      id: created.id,
      object: 'video.deleted',
      deleted: true,
    });
    await expect(videos.retrieve(created.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('lists videos page by page, in either order', async () => {
    const { key } = await newWorkspace();
    const { videos } = clientOf(key);
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.push((await videos.create(askedOf())).id);
    for (const order of ['asc', 'desc'] as const) {
      const listed: string[] = [];
      for await (const video of videos.list({ limit: 2, order })) listed.push(video.id);
      expect(listed).toEqual(order === 'asc' ? ids : ids.toReversed());
    }
  });

  test('remixes, edits and extends a completed video, and is told the prompt', async () => {
    const ended = async (id: string) =>
      until(
        () => videos.retrieve(id),
        ({ status }) => status === 'completed',
      );
    const source = await videos.create(askedOf());
    expect(source.prompt).toBe('A fox');
    const prompt = 'The fox turns around';
    const unfinished = {
      status: 400,
      param: 'video',
      message: expect.stringContaining(`video: ${source.id} `),
    };
    const early = [videos.remix(source.id, { prompt }), videos.edit({ prompt, video: { id: source.id } })];
    await Promise.all(early.map((each) => expect(each).rejects.toMatchObject(unfinished)));
    expect((await ended(source.id)).prompt).toBe('A fox');
    const made = await Promise.all([
      videos.remix(source.id, { prompt }),
      videos.edit({ prompt, video: { id: source.id } }),
      // The client's types name only the lengths of OpenAI's own service.
      videos.extend(Object({ prompt, video: { id: source.id }, seconds: '2' })),
    ]);
    const results = await Promise.all(made.map(({ id }) => ended(id)));
    const told = { prompt, model: asked.model };
    expect(results).toMatchObject([
      { ...told, seconds: '1', remixed_from_video_id: source.id },
      { ...told, seconds: '1', remixed_from_video_id: source.id },
      { ...told, seconds: '2', remixed_from_video_id: null },
    ]);
    const other = await newWorkspace();
    const stranger = clientOf(other.key).videos;
    const elsewhere = Object({ prompt, workspace_id: other.id });
    const refused = { status: 404, message: expect.stringContaining('workspace_id: no such workspace') };
    await expect(videos.remix(source.id, elsewhere)).rejects.toMatchObject(refused);
    await expect(stranger.remix(source.id, { prompt })).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(stranger.edit({ prompt, video: { id: source.id } })).rejects.toMatchObject({ status: 404 });
    await expect(videos.edit({ prompt, video: image() })).rejects.toMatchObject({ status: 400 });
  });

  test.each(['1024x1792', '1470x630', '834x1112'])('makes a video of %s', async (size) => {
    const { id } = await videos.create(askedOf({ size }));
    await until(
      () => videos.retrieve(id),
      ({ status }) => status === 'completed',
    );
    const content = await (await videos.downloadContent(id)).arrayBuffer();
    const { width, height } = describeMp4(Buffer.from(content));
    expect(`${width}x${height}`).toBe(size);
  });

  test('names an uploaded file in JSON, and sends our own fields beside OpenAI’s', async () => {
    const { body: file } = await call('POST', '/files', {
      key: workspace.key,
      body: fileForm(PNG, 'fox.png'),
    });
    const body = { ...asked, input_reference: { file_id: file.id }, metadata: { shot: '12' } };
    const created = await clientOf(workspace.key).post<OpenAI.Video>('/videos', { body });
    expect(created).toMatchObject({ object: 'video', seconds: '1' });
    const { body: job } = await call('GET', `/videos/${created.id}`, { key: workspace.key });
    expect(job.metadata).toEqual({ shot: '12' });
  });

  test.each<[object, object]>([
    [{ seconds: '99' }, { status: 400, param: 'seconds', type: 'invalid_request_error' }],
    [{ input_reference: new File(['%PDF-'], 'a.pdf') }, { status: 400, param: 'input_reference' }],
    [{ size: '1x1' }, { status: 400, param: 'size' }],
    [{ model: 'sora-2' }, { status: 404, code: 404, type: 'invalid_request_error' }],
  ])('is told what is wrong with %j', async (change, error) => {
    await expect(videos.create(askedOf(change))).rejects.toMatchObject(error);
  });

  test('gets an error for a wrong key, and for missing money', async () => {
    const stranger = clientOf('sk-wrong').videos;
    await expect(stranger.list()).rejects.toMatchObject({ status: 401, type: 'invalid_request_error' });
    const { id, key } = await newWorkspace();
    const json = { limit_usd: 0.01 };
    await call('PUT', `/workspaces/${id}/budgets/daily`, { key: stage.managementKey, json });
    await expect(clientOf(key).videos.create(askedOf({ seconds: '2' }))).rejects.toMatchObject({
      status: 402,
      type: 'insufficient_quota',
    });
    expect((await clientOf(key).videos.list()).data).toEqual([]);
  });
});

describe('a form', () => {
  const send = (fields: Record<string, string | File>, headers = {}) =>
    call('POST', '/videos', { key: workspace.key, body: form(fields), headers });

  test('makes one job for each Idempotency-Key, although each request has another boundary', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const fields = {
      ...asked,
      input_reference: image(),
      provider: '{"options":{"sandbox":{"latency_s":600}}}',
    };
    const first = await send(fields, headers);
    const again = await send(fields, headers);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
      202,
      202,
      'true',
    ]);
    expect(again.body).toEqual(first.body);
    expect((await send({ ...fields, prompt: 'Two' }, headers)).status).toBe(400);
  });

  test('warns of unknown fields', async () => {
    const { status, headers } = await send({ ...asked, second: '1' }, { 'x-genway-strict': 'false' });
    expect([status, headers.get('x-genway-warning')]).toEqual([
      202,
      'second is not a field of this operation; did you mean seconds?',
    ]);
  });

  test('may have a size beside an image whose shape the video has, and is warned of that', async () => {
    const key = stage.managementKey;
    const { id: _, ...row } = findOffer('sandbox/clip-1')!;
    const json = { ...row, with_inputs: { first_frame: { aspect_ratios: [] } } };
    expect((await call('PUT', '/endpoints/sandbox/framed', { key, json })).status).toBe(200);
    const fields = { ...asked, model: 'sandbox/framed', input_reference: image() };
    const accepted = await until(
      () => send(fields),
      ({ status }) => status !== 404,
    );
    expect([accepted.status, accepted.headers.get('x-genway-warning')]).toEqual([
      202,
      'size: the video has the aspect ratio of the first frame in the request; the aspect ratio of 640x360 has no effect',
    ]);
    expect((await call('DELETE', '/endpoints/sandbox/framed', { key })).status).toBe(200);
  });

  test('is refused if it is malformed, or larger than a body may be', async () => {
    const type = { 'content-type': 'multipart/form-data; boundary=b' };
    const cut = await call('POST', '/videos', { key: workspace.key, body: '--b\r\n', headers: type });
    expect([cut.status, cut.body.error.message]).toEqual([400, expect.stringMatching(/closing delimiter/)]);
    const large = await send({ ...asked, input_reference: new File([Buffer.alloc(4 * 1024 * 1024)], 'x') });
    expect([large.status, large.body.error.message]).toEqual([
      400,
      expect.stringMatching(/at most 4194304 bytes/),
    ]);
    // The limit is the same for JSON from OpenAI's clients as for ours.
    const json = { ...asked, prompt: 'x'.repeat(4 * 1024 * 1024) };
    const headers = { 'user-agent': 'OpenAI/JS 7.55.0' };
    const long = await call('POST', '/videos', { key: workspace.key, json, headers });
    expect([long.status, long.body.error.message]).toEqual([
      400,
      expect.stringMatching(/at most 4194304 bytes of JSON/),
    ]);
  });
});
