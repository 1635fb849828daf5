import { beforeAll, describe, expect, test } from '@jest/globals';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const management = stage.managementKey;
const request = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, size: '640x360' };
const waiting = { provider: { options: { sandbox: { latency_s: 600 } } } };
const submit = (change: Record<string, unknown>, key: string, query = '') =>
  call('POST', `/videos${query}`, { key, json: { ...request, ...change } });

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
beforeAll(async () => {
  workspace = await newWorkspace();
});

describe('a management key', () => {
  test('submits and sees videos in the workspace that it names', async () => {
    const { id, slug, key } = workspace;
    for (const [change, query] of [
      [{}, `?workspace_id=${id}`],
      [{ workspace_id: slug }, ''],
    ] as const) {
      const { status, body } = await submit({ ...waiting, ...change }, management, query);
      expect(status).toBe(202);
      expect((await call('GET', `/videos/${body.id}`, { key })).status).toBe(200);
      const { body: list } = await call('GET', `/videos?workspace_id=${slug}`, { key: management });
      expect(list.data.map((job: { id: string }) => job.id)).toContain(body.id);
      const elsewhere = await call('GET', `/videos/${body.id}?workspace_id=default`, { key: management });
      expect(elsewhere.status).toBe(404);
    }
  });

  test('gets an error for a workspace that does not exist', async () => {
    const nowhere = await submit({}, management, `?workspace_id=${crypto.randomUUID()}`);
    expect([nowhere.status, nowhere.body.error.message]).toEqual([404, 'workspace_id: no such workspace']);
    expect((await submit({ workspace_id: 'no such' }, management)).status).toBe(400);
  });
});

describe('an estimate', () => {
  const estimate = (change: Record<string, unknown>, key: string) =>
    call('POST', '/videos/estimate', { key, json: { ...request, ...change } });
  const costs = (cost: number) => ({ estimated_cost: cost, max_cost: cost, cost });
  const estimated = { currency: 'USD', endpoint: { model: 'sandbox/clip-1', provider: 'sandbox' } };

  /** A workspace with this budget. The budget is the smallest limit, whatever credits other tests grant. */
  async function budgeted(limit_usd: number) {
    const workspace = await newWorkspace();
    await call('PUT', `/workspaces/${workspace.id}/budgets/daily`, { key: management, json: { limit_usd } });
    return workspace;
  }

  test('equals what a submit would hold, and stores nothing', async () => {
    const { key } = await budgeted(0.05);
    const { status, body } = await estimate({ duration: 4 }, key);
    expect([status, body]).toEqual([200, { ...estimated, ...costs(0.04), fits: true, remaining: 0.05 }]);
    expect((await call('GET', '/videos', { key })).body.data).toEqual([]);
  });

  test('says how much money is left, and whether that is enough', async () => {
    const { key } = await budgeted(0.05);
    const enough = { ...estimated, ...costs(0.05), fits: true, remaining: 0.05 };
    expect((await estimate({ duration: 5 }, key)).body).toEqual(enough);
    expect((await estimate({ duration: 6 }, key)).body).toEqual({ ...enough, ...costs(0.06), fits: false });
  });

  test.each([
    [{ duration: 99 }, 400],
    [{ model: 'sandbox/clip1' }, 404],
    [
      {
        frame_images: [
          {
            type: 'image_url',
            image_url: { url: 'gw_file_01jg000000000000000000000a' },
            frame_type: 'first_frame',
          },
        ],
      },
      400,
    ],
  ])('of %j is refused like a submit', async (change, status) => {
    const [estimated, submitted] = [
      await estimate(change, workspace.key),
      await submit(change, workspace.key),
    ];
    expect([estimated.status, estimated.body.error]).toEqual([status, submitted.body.error]);
  });
});

describe('a submit', () => {
  test('returns the job’s address and its metadata, and warns of unknown fields', async () => {
    const metadata = { shot: '12', scène: 'été' };
    const change = { ...waiting, metadata, durations: 4, seed: null };
    const { status, headers, body } = await call('POST', '/videos', {
      key: workspace.key,
      headers: { 'x-genway-strict': 'false' },
      json: { ...request, ...change },
    });
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/videos/${body.id}`]);
    const warnings = ['durations is not a field of this operation; did you mean duration?'];
    expect(body).toMatchObject({ metadata, warnings, estimated_cost: 0.01 });
    const { body: job } = await call('GET', `/videos/${body.id}`, { key: workspace.key });
    expect(job).toMatchObject({ metadata, warnings });
  });

  test.each([
    [{ metadata: { a: 1 } }, /^metadata\.a: must be a string/],
    [{ metadata: { ['k'.repeat(65)]: '' } }, /^metadata\.k+…: its name must be 1 to 64 characters/],
    [{ metadata: { a: 'x'.repeat(513) } }, /^metadata\.a: must be at most 512 characters/],
    [
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, ''])) },
      /^metadata: must have at most 16/,
    ],
    [{ metadata: 'x' }, /^metadata: must be an object/],
  ])('with %j is refused', async (change, message) => {
    const { status, body } = await submit(change, workspace.key);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('of a misspelt model gets a suggestion', async () => {
    const { status, body } = await submit({ model: 'sandbox/clip1' }, workspace.key);
    expect([status, body.error.message]).toEqual([
      404,
      expect.stringContaining('did you mean "sandbox/clip-1"?'),
    ]);
  });
});

describe('a poll that waits', () => {
  test.concurrent('is answered when the status changes', async () => {
    const { body } = await submit({ provider: { options: { sandbox: { latency_s: 2 } } } }, workspace.key);
    let job = body;
    for (let polls = 0; job.status !== 'completed' && polls < 10; polls++) {
      const answer = await call('GET', `/videos/${body.id}`, {
        key: workspace.key,
        headers: { prefer: 'wait=15' },
      });
      expect(answer.headers.get('preference-applied')).toBe('wait=15');
      expect(answer.body.status).not.toBe(job.status);
      job = answer.body;
    }
    expect(job.status).toBe('completed');
  });

  test('gets its response at the end of its waiting time', async () => {
    const { body } = await submit(waiting, workspace.key);
    const headers = { prefer: 'wait=1' };
    const { status } = await call('GET', `/videos/${body.id}`, { key: workspace.key, headers });
    expect(status).toBe(200);
  });
});

describe('an ended video', () => {
  test('has links that need no key, describes their content and expiry, and is deleted completely', async () => {
    const { key } = workspace;
    const { body } = await submit({ provider: { options: { sandbox: { latency_s: 0 } } } }, key);
    const { body: job } = await endedVideo(body.id, key);
    expect(job).toMatchObject({
      urls: [expect.stringMatching(/^http/)],
      outputs: [
        {
          content_type: 'video/mp4',
          size_bytes: expect.any(Number),
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          width: 640,
          height: 360,
          duration: 1,
        },
      ],
    });
    const ends = Number(new URL(job.urls[0]).searchParams.get('Expires')) * 1000;
    expect(ends - Date.now()).toBeLessThanOrEqual(3600_000);
    expect(ends - Date.now()).toBeGreaterThan(3500_000);
    expect(Date.parse(job.content_expires_at) - Date.parse(job.completed_at)).toBe(30 * 86_400_000);
    const download = await fetch(job.urls[0], { headers: { origin: 'https://app.example' } });
    expect([download.status, Number(download.headers.get('content-length'))]).toEqual([
      200,
      job.outputs[0].size_bytes,
    ]);
    expect(download.headers.get('access-control-allow-origin')).toBe('*');
    const { body: list } = await call('GET', '/videos?limit=1&status=completed', { key });
    expect(list.data[0].urls).toHaveLength(1);

    const deleted = await call('DELETE', `/videos/${job.id}`, { key });
    expect([deleted.status, deleted.body]).toEqual([
      200,
      { id: job.id, object: 'video.deleted', deleted: true },
    ]);
    expect((await fetch(job.urls[0])).status).toBe(404);
    expect((await call('GET', `/videos/${job.id}`, { key })).status).toBe(404);
    expect((await call('DELETE', `/videos/${job.id}`, { key })).status).toBe(404);
  });

  test.concurrent.each([
    [{ outcome: 'moderated' }, 'moderation', false],
    [{ outcome: 'failed' }, 'provider', true],
  ])('that has failed with %j has machine-readable details', async (sandbox, type, retryable) => {
    const options = { sandbox: { ...sandbox, latency_s: 0 } };
    const { body } = await submit({ provider: { options } }, workspace.key);
    const { body: job } = await endedVideo(body.id, workspace.key);
    expect(job.error_details).toEqual({ type, message: job.error, retryable });
  });

  test('is not deleted before it has ended', async () => {
    const { body } = await submit(waiting, workspace.key);
    const { status } = await call('DELETE', `/videos/${body.id}`, { key: workspace.key });
    expect(status).toBe(409);
    expect((await call('GET', `/videos/${body.id}`, { key: workspace.key })).status).toBe(200);
  });
});

test.concurrent('whom a request is for is told with the job, its generation and the reports', async () => {
  const { id: workspace_id, key } = await newWorkspace();
  // As JSON text within JSON it is longer than the limit, which is that of what is sent.
  const tags = new Array(500).fill('a');
  const told = { user: 'user#7', trace: { tier: 3, tags } };
  const { body: submitted } = await call('POST', '/videos', {
    key,
    json: { ...request, ...told },
    headers: { 'x-session-id': 'chat-1' },
  });
  expect(submitted).toMatchObject({
    user: 'user#7',
    session_id: 'chat-1',
    trace: { tier: 3, tags: JSON.stringify(tags) },
  });
  const { generation_id } = (await endedVideo(submitted.id, key)).body;
  const { body: generation } = await call('GET', `/generation?id=${generation_id}`, { key });
  expect(generation.data).toMatchObject({ external_user: 'user#7', session_id: 'chat-1' });
  const { body: report } = await call('GET', '/activity?group_by=user', { key: management });
  expect(report.data).toContainEqual(expect.objectContaining({ user: 'user#7', jobs: 1, cost: 0.01 }));
  const tooLong = await submit({ trace: { text: 'x'.repeat(2048) } }, key, `?workspace_id=${workspace_id}`);
  expect(tooLong.body.error.message).toBe('trace: must be at most 2048 bytes of JSON');
});

test.concurrent('a completed video is the input of the next', async () => {
  const { key } = await newWorkspace();
  const { id } = (await endedVideo((await submit({}, key)).body.id, key)).body;
  const clip = { input_references: [{ type: 'video_url', video_url: { url: id } }] };
  const next = await submit(clip, key);
  expect((await endedVideo(next.body.id, key)).body.status).toBe('completed');
  const elsewhere = await submit(clip, (await newWorkspace()).key);
  expect([elsewhere.status, elsewhere.body.error.message]).toEqual([
    400,
    `input_references: ${id} does not exist in this workspace`,
  ]);
});

const open = { size: undefined, duration: undefined };

test.concurrent('a completed video is extended and edited, in its own size', async () => {
  const { key } = await newWorkspace();
  const { id } = (await endedVideo((await submit({ size: '360x640', duration: 2 }, key)).body.id, key)).body;
  const outcome = async (fields: Record<string, unknown>) => {
    const { body } = await submit({ ...open, ...fields, previous_job_id: id }, key);
    const { status, usage, outputs } = (await endedVideo(body.id, key)).body;
    return { status, cost: usage.cost, ...outputs[0] };
  };
  const own = { status: 'completed', width: 360, height: 640 };
  expect(await Promise.all([outcome({ duration: 3 }), outcome({ continuation: 'edit' })])).toMatchObject([
    { ...own, duration: 3, cost: 0.03 },
    { ...own, duration: 2, cost: 0.02 },
  ]);
});

test('what cannot go on with a completed video is refused before anything is held', async () => {
  const { key } = await newWorkspace();
  const other = (await submit({}, (await newWorkspace()).key)).body.id;
  const refusal = async (fields: Record<string, unknown>) => {
    const { status, body } = await submit({ ...open, ...fields, previous_job_id: other }, key);
    expect([status, body.error.metadata.error_type]).toEqual([400, 'invalid_request']);
    return body.error.message;
  };
  expect(await refusal({})).toBe(`previous_job_id: ${other} does not exist in this workspace`);
  expect(await refusal({ continuation: 'edit', duration: 1 })).toMatch(
    /^duration: .* takes the duration from vid_/,
  );
  expect(await refusal({ resolution: '360p' })).toMatch(/^resolution: .* omit resolution/);
  expect(await refusal({ continuation: 'remix' })).toBe('continuation: must be one of extend, edit');
  expect((await call('GET', '/key', { key })).body.data.usage).toBe(0);
});

test.concurrent('a completed video has a thumbnail, and its last frame is the first of the next', async () => {
  const { key } = await newWorkspace();
  const { id } = (await endedVideo((await submit({}, key)).body.id, key)).body;
  const frame = { type: 'image_url', frame_type: 'first_frame', image_url: { url: id } };
  const next = await submit({ frame_images: [frame] }, key);
  expect(next).toMatchObject({ status: 202 });
  expect((await endedVideo(next.body.id, key)).body.status).toBe('completed');
  const { body } = await until(
    () => call('GET', `/videos/${id}`, { key }),
    ({ body: job }) => job.thumbnail_urls !== undefined,
  );
  const picture = await fetch(body.thumbnail_urls[0]);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const asked = await call('GET', `/videos/${id}/content?variant=thumbnail&redirect=false`, { key });
  expect((await fetch(asked.body.url)).status).toBe(200);
});

test.concurrent('a waiting job says what it is waiting for', async () => {
  const sandbox = { submit: 429, submit_lasts_s: 30, retry_after: 20 };
  const { body } = await submit({ provider: { options: { sandbox } } }, workspace.key);
  let job = body;
  for (let polls = 0; job.waiting_for === undefined && polls < 60; polls++) {
    ({ body: job } = await call('GET', `/videos/${body.id}`, {
      key: workspace.key,
      headers: { prefer: 'wait=1' },
    }));
  }
  expect(job).toMatchObject({
    status: 'pending',
    waiting_for: { reason: 'rate_limit', until: expect.any(String) },
  });
});
