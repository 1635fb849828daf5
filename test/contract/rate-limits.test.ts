import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { EXTRA_DELIVERIES } from '../../functions/fair-shares.ts';
import { errorBody } from '../http/error-bodies.ts';
import { call, newWorkspace, stage } from './stage.ts';

/** A key with these limits for submits and reads. */
async function limitedKey(rateLimits: Record<string, number>): Promise<string> {
  const { id } = await newWorkspace();
  const json = { name: 'Limited', workspace_id: id, rate_limits: rateLimits };
  return (await call('POST', '/keys', { key: stage.managementKey, json })).body.key;
}

const submit = (key: string) =>
  call('POST', '/videos', { key, json: { model: 'sandbox/clip-1', prompt: 'A fox', duration: 1 } });

describe('a key’s rate', () => {
  test('admits its number of requests, and says what is left and when to retry', async () => {
    const key = await limitedKey({ submit: 30 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => submit(key)));
    const passed = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status === 429);
    expect(passed.length + refused.length).toBe(40);
    // One token was added every two seconds while the requests arrived.
    expect(passed.length).toBeGreaterThanOrEqual(30);
    for (const { headers } of passed) {
      expect(headers.get('x-ratelimit-limit')).toBe('30');
      expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(30);
      expect(Number(headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now() - 60_000);
    }
    const last = await drain(key);
    expect(last.body).toEqual(errorBody(429, 'rate_limit_exceeded', expect.any(String)));
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
    await wait(Number(last.headers.get('retry-after')) * 1000);
    expect((await submit(key)).status).toBe(202);
  });

  test('of one class does not affect another', async () => {
    const key = await limitedKey({ read: 1, submit: 5 });
    const reads = [await call('GET', '/files', { key }), await call('GET', '/files', { key })];
    expect(reads.map(({ status }) => status)).toEqual([200, 429]);
    expect((await submit(key)).status).toBe(202);
    // All read routes share this limit.
    expect((await call('GET', '/videos', { key })).status).toBe(429);
  });
});

describe('a workspace', () => {
  test('may only recover deliveries at its rate, whichever key asks', async () => {
    const { id } = await newWorkspace();
    const other = await newWorkspace();
    const recover = (workspace: string) =>
      call('POST', `/workspaces/${workspace}/webhook-deliveries/recover`, {
        key: stage.managementKey,
        json: { since: '2030-01-01T00:00:00Z' },
      });
    const { recover: share } = EXTRA_DELIVERIES;
    const answers = [];
    do answers.push(await recover(id));
    while (answers.at(-1)?.status === 202);
    expect(answers.length).toBeGreaterThan(share);
    const last = answers.at(-1);
    expect(last?.status).toBe(429);
    expect(last?.headers.get('x-ratelimit-limit')).toBe(String(share));
    expect(last?.body.error.message).toMatch(
      `The recovery rate limit of this workspace is ${share} requests per minute`,
    );
    expect((await recover(other.id)).status).toBe(202);
  });
});

async function drain(key: string) {
  for (;;) {
    const answer = await submit(key);
    if (answer.status === 429) return answer;
  }
}
