import { describe, expect, test } from '@jest/globals';
import { variables } from '../../functions/environment-names.ts';
import { errorMetadata } from '../http/error-bodies.ts';
import { inProcess } from './in-process.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { endedVideo } from './until.ts';

const request = { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 };
const submit = (key: string, idempotencyKey: string, json: unknown = request) =>
  call('POST', '/videos', { key, json, headers: { 'idempotency-key': idempotencyKey } });

const jobsOf = async (key: string) => (await call('GET', '/videos', { key })).body.data.length;

describe('a submit with an idempotency key', () => {
  test('gets the first response again', async () => {
    const { key } = await newWorkspace();
    const first = await submit(key, 'once');
    const second = await submit(key, 'once');
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await jobsOf(key)).toBe(1);
  });

  test('makes one job from twenty requests at once', async () => {
    const { key } = await newWorkspace();
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(key, 'race')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await jobsOf(key)).toBe(1);
  });

  test('is refused with another body, but another caller may use the same key', async () => {
    const [mine, other] = [await newWorkspace(), await newWorkspace()];
    await submit(mine.key, 'shared');
    const { status, body } = await submit(mine.key, 'shared', { ...request, prompt: 'A cat' });
    expect([status, body.error.metadata]).toEqual([
      400,
      errorMetadata('invalid_request', { path: 'Idempotency-Key' }),
    ]);
    expect((await submit(other.key, 'shared', { ...request, prompt: 'A cat' })).status).toBe(202);
  });

  test('makes one job even if the API key is rotated between two attempts', async () => {
    const { id, key } = await newWorkspace();
    const issued = await call('POST', '/keys', {
      key: stage.managementKey,
      json: { name: 'Rotated', workspace_id: id },
    });
    const answers = await Promise.all([submit(key, 'once'), submit(issued.body.key, 'once')]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await jobsOf(key)).toBe(1);
  });

  test('that is refused leaves the idempotency key free', async () => {
    const { key } = await newWorkspace();
    expect((await submit(key, 'free', { ...request, duration: 99 })).status).toBe(400);
    expect((await submit(key, 'free')).status).toBe(202);
  });

  test('is queued again by the next attempt if the first has not come to that', async () => {
    const { key } = await newWorkspace();
    const withoutQueue = await inProcess({
      [variables.jobsQueueUrl]: `${stage.aws.endpoint}/000000000000/no-such-queue`,
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const first = await withoutQueue(
      new Request(`${stage.baseUrl}/videos`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'lost' },
        body: JSON.stringify(request),
      }),
    );
    expect(first.status).toBe(202);
    const { body, headers: told } = await submit(key, 'lost');
    expect(told.get('idempotent-replayed')).toBe('true');
    // Before the sweeper's first visit, which is later than Jest's timeout.
    expect((await endedVideo(body.id, key)).body.status).toBe('completed');
  });

  test.each(['two words', 'ä', 'x'.repeat(256)])('of %p is refused', async (idempotencyKey) => {
    const { key } = await newWorkspace();
    const sent = Buffer.from(idempotencyKey, 'utf8').toString('latin1');
    expect((await submit(key, sent)).status).toBe(400);
  });
});

describe('a workspace', () => {
  test('is created once by twenty equal requests, and by fifty with one slug', async () => {
    const key = stage.managementKey;
    // New function instances take time from calls that are under way. Starting them in small steps first keeps that out
    // of the races below.
    for (let rivals = 5; rivals <= 50; rivals += 5) {
      await Promise.all(Array.from({ length: rivals }, () => call('POST', '/workspaces', { key, json: {} })));
    }
    const json = { name: 'Race', slug: `race-${crypto.randomUUID()}` };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const equal = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/workspaces', { key, json, headers })),
    );
    expect(new Set(equal.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(equal.map(({ body }) => body.data.id)).size).toBe(1);
    expect(equal[0]?.headers.get('location')).toBe(`/api/v1/workspaces/${equal[0]?.body.data.id}`);

    const slug = `race-${crypto.randomUUID()}`;
    const others = await Promise.all(
      Array.from({ length: 50 }, () => call('POST', '/workspaces', { key, json: { name: 'Race', slug } })),
    );
    expect(others.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 400),
    ]);
  });
});
