import { describe, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { answerOnce, ReplayStore } from '../../functions/gate/answer-once.ts';
import type { AuthenticatedCall } from '../../functions/http/call.ts';
import { InvalidRequest } from '../../functions/http/errors.ts';
import { json } from '../../functions/http/response.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const DAY = 24 * 3_600_000;
const NOW = new Date('2030-01-01T00:00:00Z');
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function start() {
  const world = new AwsWorld({ start: NOW });
  const { dynamo } = world.startProcess();
  const replays = new ReplayStore(dynamo, new DeployedStage(world).name('Replays'));
  let runs = 0;
  /** A call at this time, in milliseconds, with or without a key. */
  const ask = (at: number, key: string | undefined, body = '{}') => {
    const call: AuthenticatedCall = {
      requestId: 'r',
      method: 'POST',
      pattern: '/videos',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      path: {},
      query: {},
      publicUrl: 'https://api.example',
      log: silent,
      warnings: [],
      body: Buffer.from(body),
      changes: [],
      principal: {
        keyHash: 'k',
        kind: 'normal',
        workspaceId: 'w',
        creator: 'k',
        rateLimits: {},
        scope: UNLIMITED,
        endsAt: null,
      },
    };
    return answerOnce(call, { replays, now: () => new Date(NOW.getTime() + at) }, async (remember) => {
      if (body === 'refused') throw new InvalidRequest('no credits');
      const answer = json(202, { run: ++runs });
      const items = remember(answer);
      if (Object.keys(items).length > 0) await transact(dynamo, items);
      return answer;
    });
  };
  return { ask, runs: () => runs };
}

describe('a stored response', () => {
  test('is repeated, with a header that says so, for a day', async () => {
    const { ask } = start();
    const first = await ask(0, 'once');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    const again = await ask(DAY - 1, 'once');
    expect(again).toMatchObject({
      status: 202,
      body: first.body,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect((await ask(DAY, 'once')).body).toBe('{"run":2}');
    expect((await ask(DAY + 1, 'once')).body).toBe('{"run":2}');
  });

  test('is the same for two equal requests at once', async () => {
    const { ask } = start();
    const [one, other] = await Promise.all([ask(0, 'once'), ask(0, 'once')]);
    expect(one.body).toBe(other.body);
  });

  test('is not repeated for another body', async () => {
    const { ask } = start();
    await ask(0, 'once');
    await expect(ask(1, 'once', '{"n":1}')).rejects.toThrow(
      'Idempotency-Key: was already used with another body; send a new Idempotency-Key',
    );
  });

  test('is not stored for a refused request', async () => {
    const { ask, runs } = start();
    await expect(ask(0, 'once', 'refused')).rejects.toThrow('no credits');
    expect(runs()).toBe(0);
    expect(await ask(1, 'once')).toMatchObject({ status: 202, body: '{"run":1}' });
  });

  test('has a key of 1 to 255 visible ASCII characters', async () => {
    const { ask } = start();
    for (const key of ['', 'ä']) {
      await expect(ask(0, key)).rejects.toThrow('Idempotency-Key: must be 1 to 255 visible ASCII characters');
    }
    await expect(ask(0, 'a'.repeat(256))).rejects.toThrow('visible ASCII characters');
    expect((await ask(0, 'a'.repeat(255))).status).toBe(202);
  });

  test('needs an idempotency key', async () => {
    const { ask, runs } = start();
    await ask(0, undefined);
    await ask(0, undefined);
    expect(runs()).toBe(2);
  });
});

test('the table keeps an answer for as long as it can be given again, and no longer', () => {
  const { dynamo } = new AwsWorld().startProcess();
  const remembered = { id: 'i', fingerprint: 'f', status: 202, headers: {}, body: '', until: DAY + 1 };
  const { Put } = new ReplayStore(dynamo, 'replays').insertion(remembered, new Date(0));
  expect(Put?.Item).toMatchObject({ expires_at: DAY / 1000 + 1 });
});

test('an answer is found as soon as it is stored', async () => {
  const world = new AwsWorld({ start: NOW, lag: () => 60_000 });
  const { dynamo } = world.startProcess();
  const replays = new ReplayStore(dynamo, new DeployedStage(world).name('Replays'));
  const until = NOW.getTime() + DAY;
  const remembered = { id: 'i', fingerprint: 'f', status: 202, headers: {}, body: '{}', until };
  await transact(dynamo, { replay: replays.insertion(remembered, NOW) });
  expect(await replays.find('i', NOW)).toEqual(remembered);
});
