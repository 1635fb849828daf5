import { describe, expect, test } from '@jest/globals';
import { keyAccount } from '../../../functions/money/account.ts';
import { ProviderError } from '../../../functions/videos/providers/provider.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld, type Script } from './job-world.ts';
import { SweptStage, slowProvider } from './swept-stage.ts';

// One minute of the stage means some fifty calls.
const CLOSED = /^The key that submitted the job was disabled or deleted, or expired/;
const UNCONFIRMED = /^The provider did not confirm the job, and the key/;

/** A provider that takes no job, and whose tries are counted. */
function fullProvider() {
  const provider = {
    ...slowProvider(),
    tries: 0,
    submit: async () => {
      provider.tries++;
      throw new ProviderError('rate_limited', 'full');
    },
  };
  return provider;
}

describe('a job that waits for a provider', () => {
  test.each<[string, object]>([
    ['disabled or deleted', { closed: true }],
    ['expired', { closes_at: '2026-01-01T00:01:00.000Z' }],
  ])('ends uncharged when its key is %s', async (_, closing) => {
    const provider = fullProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.run(1);
    const { tries } = provider;
    expect(tries).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(closing)) {
      await stage.changeAccount(keyAccount(job.key_hash), name, value);
    }
    await stage.run(2);
    expect(await stage.row(job.id)).toMatchObject({
      status: 'cancelled',
      error: expect.stringMatching(CLOSED),
      error_kind: { type: 'cancelled', retryable: false },
    });
    expect(provider.tries).toBe(tries);
    expect(await stage.eventTypes(job.id)).toEqual(['video.generation.cancelled']);
    for (const account of await stage.accountsOf(job)) {
      expect(account).toMatchObject({ reserved: 0, open_jobs: 0, lifetime: { committed: 0, spent: 0 } });
    }
  });

  test('goes on while its key lives', async () => {
    const provider = fullProvider();
    const stage = new SweptStage(provider);
    const job = await stage.accept(1);
    await stage.changeAccount(keyAccount(job.key_hash), 'closes_at', '2026-01-01T12:00:00.000Z');
    await stage.run(3);
    expect(await stage.row(job.id)).toMatchObject({ status: 'pending' });
    expect(provider.tries).toBeGreaterThan(2);
  });
});

test.each([
  [{}, 'cancelled', CLOSED],
  [{ submits: 1, may_be_taken: true }, 'failed', UNCONFIRMED],
])(
  'a job that waits for a provider that is resting ends when its key is closed: %p',
  async (row, status, error) => {
    const job = aJob(row);
    const world = new JobWorld({}, job);
    const { id: jobId, provider, workspace_id: workspaceId, model: offer } = job;
    const call = { kind: 'submit', provider: provider!, workspaceId, offer, jobId } as const;
    for (let calls = 0; calls < 6; calls++) world.ports.gate.enter(call);
    world.closedKeys.add(job.key_hash);
    await world.deliver(world.messages[0]!);
    expect(world.job).toMatchObject({ status, error: expect.stringMatching(error) });
    expect([world.submits, world.job.cost_micros]).toEqual([[], undefined]);
  },
);

test('a job that its provider has goes on when its key is closed, and is charged', async () => {
  const provider = slowProvider();
  const stage = new SweptStage(provider);
  const job = await stage.accept(1);
  await stage.run(1);
  await stage.changeAccount(keyAccount(job.key_hash), 'closed', true);
  provider.isDone = true;
  await stage.run(3);
  expect(await stage.row(job.id)).toMatchObject({ status: 'completed', cost_micros: 40_000 });
});

describe('a job whose submit was not answered before its key was closed', () => {
  /** The key is closed while the provider is first asked. */
  async function run(script: Script) {
    const world = new JobWorld({
      ...script,
      submit: async () => {
        world.closedKeys.add(world.job.key_hash);
        throw new ProviderError('ambiguous', 'no');
      },
    });
    await world.run();
    return world;
  }

  test('is not submitted again, and fails uncharged, because its provider may have it', async () => {
    const world = await run({ resubmit: 'token' });
    expect(world.job).toMatchObject({ status: 'failed', error: expect.stringMatching(UNCONFIRMED) });
    expect([world.submits.length, world.job.cost_micros]).toEqual([1, undefined]);
  });

  test('is looked up, and ends as cancelled if its provider certainly does not have it', async () => {
    const world = await run({
      resubmit: 'lookup',
      lookup: async () => 'absent',
    });
    expect(world.job).toMatchObject({ status: 'cancelled', error: expect.stringMatching(CLOSED) });
    expect(world.submits).toHaveLength(1);
  });

  test('goes on if its provider has it', async () => {
    const found = { ref: { id: 'found' }, upstreamId: 'up-found' };
    const world = await run({
      resubmit: 'lookup',
      lookup: async () => found,
    });
    expect(world.job).toMatchObject({ status: 'completed', upstream_id: 'up-found' });
  });
});
