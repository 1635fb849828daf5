import { describe, expect, test } from '@jest/globals';
import { UnusableResult } from '../../../functions/videos/results/result-store.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { JobWorld, linked, type Script } from './job-world.ts';

const polling = () => aJob({ phase: 'polling', status: 'in_progress', ref: { id: 'up' } });
const video = async () => new Response('video');

async function run(script: Script) {
  const world = new JobWorld({ poll: async () => linked(), ...script }, polling());
  await world.run();
  return world;
}

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('vid');
  throw new Error('other side closed');
}

describe('a result that cannot be had', () => {
  test.each<[string, () => Promise<Response>]>([
    ['an expired address', async () => new Response(null, { status: 403 })],
    ['an address that is gone', async () => new Response(null, { status: 410 })],
    ['a server in trouble', async () => new Response(null, { status: 502 })],
    ['a reset connection', () => Promise.reject(new TypeError('fetch failed'))],
    ['a body that breaks off', async () => new Response(ReadableStream.from(brokenOff()))],
  ])('for %s is asked for again, and copied from its fresh address', async (_, failing) => {
    const asked: string[] = [];
    const world = await run({
      poll: async (attempt) => linked(`https://provider.example/${attempt}.mp4`),
      download: (attempt, url) => {
        asked.push(url);
        return attempt < 6 ? failing() : video();
      },
    });
    expect(world.job).toMatchObject({
      status: 'completed',
      outputs: [{ size_bytes: 5 }],
      unusable_copies: 0,
    });
    expect(new Set(asked)).toHaveProperty('size', 6);
    expect(world.eventMessages).toHaveLength(1);
  });

  test('until the deadline lets the job expire with the reason, at no cost', async () => {
    const world = await run({ download: async () => new Response(null, { status: 404 }) });
    expect(world.job).toMatchObject({
      status: 'expired',
      error: expect.stringMatching(/could not be copied .* in time: .* with 404/),
    });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.eventMessages).toHaveLength(1);
  });

  test('because our own bucket fails is no fault of the provider’s: the message comes back', async () => {
    const world = new JobWorld({ poll: async () => linked() }, polling());
    world.script.judge = () => {
      throw new Error('SlowDown');
    };
    await expect(world.run()).rejects.toThrow('SlowDown');
    expect(world.job).toMatchObject({ phase: 'polling', polls: 0 });
  });
});

describe('a result that is no video', () => {
  const spoiltUntil = (good: number): Script => ({
    judge: (attempt) => {
      if (attempt < good) throw new UnusableResult('Not a whole MP4');
    },
  });

  test('is fetched twice more', async () => {
    expect((await run(spoiltUntil(3))).job).toMatchObject({ status: 'completed', unusable_copies: 2 });
  });

  test('the third time fails the job, at no cost', async () => {
    const world = await run(spoiltUntil(4));
    expect(world.job).toMatchObject({ status: 'failed', error: 'Not a whole MP4' });
    expect(world.job).not.toHaveProperty('cost_micros');
    expect(world.calls.filter((call) => call === 'save')).toHaveLength(3);
  });

  test('does not add up with copies that broke off', async () => {
    const world = await run({
      ...spoiltUntil(3),
      download: (attempt) => (attempt % 2 === 1 ? Promise.reject(new TypeError('fetch failed')) : video()),
    });
    expect(world.job).toMatchObject({ status: 'completed', unusable_copies: 2 });
  });
});
