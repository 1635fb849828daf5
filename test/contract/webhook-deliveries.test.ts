import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo, until } from './until.ts';

const key = stage.managementKey;
const received: { headers: IncomingHttpHeaders; body: string; status: number }[] = [];
/** The receiver's next status. */
let status = 204;
let origin: string;

const server = createServer(async (request, response) => {
  received.push({ headers: request.headers, body: (await buffer(request)).toString(), status });
  response.writeHead(status).end();
});

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const list = async (workspace: { id: string }, query = '') =>
  (await call('GET', `/workspaces/${workspace.id}/webhook-deliveries${query}`, { key })).body;
const probe = (workspace: { id: string }, json: object = { url: `${origin}/hook` }) =>
  call('POST', `/workspaces/${workspace.id}/webhook/test`, { key, json });
const withStatus = (workspace: { id: string }, wanted: string) =>
  until(
    () => list(workspace),
    ({ data }) => data[0]?.status === wanted,
  );
const sentFor = (id: string) => received.filter(({ headers }) => headers['webhook-id'] === id);

/** A completed job and its event. */
async function completedVideo(workspace: { id: string; key: string }, callback: object) {
  const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1, size: '640x360', ...callback };
  const { body } = await call('POST', '/videos', { key: workspace.key, json });
  const ended = await endedVideo(body.id, workspace.key);
  expect(ended.body.status).toBe('completed');
  return { id: body.id as string, eventId: `msg_${body.id.slice(4)}` };
}

describe('a test event', () => {
  test('is signed, delivered and listed with its body', async () => {
    status = 204;
    const workspace = await newWorkspace();
    const path = `/workspaces/${workspace.slug}/webhook-secret/rotate`;
    const { secret } = (await call('POST', path, { key, json: { overlap_hours: 0 } })).body;
    const accepted = await probe(workspace);
    expect(accepted.status).toBe(202);
    const { id } = accepted.body.data;
    const { data } = await withStatus(workspace, 'delivered');
    const [{ headers, body }] = sentFor(id) as [(typeof received)[number]];
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { workspace_id: workspace.id },
    });
    expect(data).toEqual([
      {
        id,
        type: 'webhook.test',
        status: 'delivered',
        host: origin.slice('http://'.length),
        created_at: expect.any(String),
        redelivery: false,
        next_attempt: null,
        next_attempt_at: null,
        attempts: 1,
        history: [
          {
            at: expect.any(String),
            attempt: 1,
            outcome: '2xx',
            milliseconds: expect.any(Number),
            request_id: headers['x-request-id'],
          },
        ],
        body,
      },
    ]);
    expect(JSON.stringify(data)).not.toContain('whsec_');
  });

  test('goes to the default address, and nowhere without one', async () => {
    const workspace = await newWorkspace();
    const refused = await probe(workspace, {});
    expect([refused.status, refused.body.error.metadata.path]).toEqual([400, 'url']);
    expect((await probe(workspace, { url: 'https://10.0.0.7/' })).status).toBe(400);
    const path = `/workspaces/${workspace.id}/webhook`;
    await call('PUT', path, { key, json: { default_callback_url: `${origin}/default` } });
    expect((await probe(workspace, {})).body.data).toMatchObject({ status: 'pending', host: null });
    await withStatus(workspace, 'delivered');
  });
});

describe('the list of deliveries', () => {
  test('has the newest first, in pages without gaps, by status and by job', async () => {
    status = 204;
    const workspace = await newWorkspace();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await probe(workspace)).body.data.id);
    await until(
      () => list(workspace, '?status=delivered'),
      ({ data }) => data.length === 5,
    );
    const pages: string[][] = [];
    for (let cursor = ''; ; ) {
      const page = await list(workspace, `?limit=2${cursor}`);
      pages.push(page.data.map(({ id }: { id: string }) => id));
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.cursor)}`;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect((await list(workspace, '?status=failed')).data).toEqual([]);
    expect((await list(workspace, '?job_id=vid_0')).data).toEqual([]);
    expect((await list(await newWorkspace())).data).toEqual([]);
  });

  test('of a job has its event, if the workspace, the status and the page match', async () => {
    status = 204;
    const workspace = await newWorkspace();
    const { id: job } = await completedVideo(workspace, { callback_url: `${origin}/hook` });
    const [delivery] = (await withStatus(workspace, 'delivered')).data;
    const ids = async (query: string, of = workspace) =>
      (await list(of, `?job_id=${job}${query}`)).data.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual([delivery.id]);
    expect(await ids('&status=delivered')).toEqual([delivery.id]);
    expect(await ids('&status=failed')).toEqual([]);
    expect(await ids(`&cursor=${delivery.created_at}~${delivery.id}`)).toEqual([]);
    expect(await ids('', await newWorkspace())).toEqual([]);
  });

  test.each(['?limit=0', '?limit=101', '?status=lost', '?cursor=x'])('refuses %s', async (query) => {
    const path = `/workspaces/${(await newWorkspace()).id}/webhook-deliveries${query}`;
    expect((await call('GET', path, { key })).status).toBe(400);
  });
});

describe('a redelivery', () => {
  test('of a video’s event has the same id and body, and is marked as a redelivery', async () => {
    status = 204;
    const workspace = await newWorkspace();
    const video = await completedVideo(workspace, { callback_url: `${origin}/hook` });
    const path = `/videos/${video.id}`;
    const deliveries = () => call('GET', `${path}/deliveries`, { key: workspace.key });
    await until(deliveries, ({ body }) => body.data[0]?.status === 'delivered');

    const again = await call('POST', `${path}/webhook/redeliver`, { key: workspace.key });
    expect([again.status, again.body.data]).toEqual([
      202,
      expect.objectContaining({ id: video.eventId, status: 'pending', redelivery: true, next_attempt: 1 }),
    ]);
    const { body } = await until(deliveries, (answer) => answer.body.data[0].status === 'delivered');
    expect(body.data[0].history.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 1]);

    const other = `/workspaces/${workspace.id}/webhook-deliveries/${video.eventId}/redeliver`;
    expect((await call('POST', other, { key })).status).toBe(202);
    await until(
      async () => sentFor(video.eventId),
      (sent) => sent.length === 3,
    );
    const sent = sentFor(video.eventId);
    expect(new Set(sent.map((each) => each.body)).size).toBe(1);
    expect(sent.map(({ headers }) => headers['x-webhook-redelivery'])).toEqual([undefined, 'true', 'true']);
    expect(sent.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '1', '1']);
  });

  test('is a conflict before the job’s end, and without an address', async () => {
    const workspace = await newWorkspace();
    const json = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
    const slow = { ...json, provider: { options: { sandbox: { latency_s: 3600 } } } };
    const { body } = await call('POST', '/videos', { key: workspace.key, json: slow });
    const early = await call('POST', `/videos/${body.id}/webhook/redeliver`, { key: workspace.key });
    expect([early.status, early.body.error.metadata.error_type]).toEqual([409, 'conflict']);

    const video = await completedVideo(workspace, {});
    const nowhere = await call('POST', `/videos/${video.id}/webhook/redeliver`, { key: workspace.key });
    expect([nowhere.status, nowhere.body.error.message]).toEqual([
      409,
      expect.stringMatching(/has no callback URL/),
    ]);
    const event = `/workspaces/${workspace.id}/webhook-deliveries/${video.eventId}`;
    expect(await call('POST', `${event}/redeliver`, { key })).toMatchObject({ status: 409 });
  });

  test('of another workspace’s event is not found', async () => {
    const { body } = await probe(await newWorkspace());
    const path = `/workspaces/${(await newWorkspace()).id}/webhook-deliveries/${body.data.id}/redeliver`;
    expect((await call('POST', path, { key })).status).toBe(404);
  });
});

describe('a recovery', () => {
  test('sends lost events again, once there is an address that accepts them', async () => {
    status = 410;
    const workspace = await newWorkspace();
    const since = new Date().toISOString();
    const webhook = `/workspaces/${workspace.id}/webhook`;
    const json = { default_callback_url: `${origin}/default` };
    await call('PUT', webhook, { key, json });
    const video = await completedVideo(workspace, {});
    await withStatus(workspace, 'failed');
    const settings = await until(
      () => call('GET', webhook, { key }),
      ({ body }) => body.data.disabled !== null,
    );
    expect(settings.body.data.disabled).toEqual({ reason: 'gone', at: expect.any(String) });

    const recover = (from: string) =>
      call('POST', `${webhook}-deliveries/recover`, { key, json: { since: from } });
    const none = { recovered: 0, has_more: false };
    expect((await recover(since)).body).toEqual({ data: none });

    status = 204;
    expect((await call('PUT', webhook, { key, json })).body.data.disabled).toBeNull();
    expect((await recover(new Date(Date.now() + 60_000).toISOString())).body).toEqual({ data: none });
    const recovered = await recover(since);
    expect([recovered.status, recovered.body]).toEqual([202, { data: { recovered: 1, has_more: false } }]);
    await withStatus(workspace, 'delivered');
    expect(sentFor(video.eventId).map((sent) => sent.status)).toEqual([410, 204]);
    expect((await recover('yesterday')).status).toBe(400);
    const astray = await call('POST', `${webhook}-deliveries/recover`, { key, json: { since, cursor: 'x' } });
    expect([astray.status, astray.body.error.metadata.path]).toEqual([400, 'cursor']);
  });
});
