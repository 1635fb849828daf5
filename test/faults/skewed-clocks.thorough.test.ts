import { describe, expect, jest, test } from '@jest/globals';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import { AwsWorld } from '../engines/aws-world.ts';
import { seededRandom } from '../engines/seeded-random.ts';
import { waitBy } from '../engines/virtual-waits.ts';
import { START } from '../videos/jobs/job-fixture.ts';

jest.setTimeout(300_000);

const HOUR = 3_600_000;
const SEEDS = 20;
/** A message that a wrong machine has refused comes back: more of them would only be late. */
const RIGHT = 0.7;

/** The life of a job whose messages go to one of three machines a function, of which the first has the right time. */
async function live(resubmit: VideoProvider['resubmit'], seed: number) {
  const world = new AwsWorld({ start: START });
  waitBy(world);
  const { FaultyStage } = await import('./faulty-stage.ts');
  const { RememberingProvider } = await import('./remembering-provider.ts');
  const random = seededRandom(seed);
  const skews = new Map<string, number>();
  const skew = (program: string, machine: number) => {
    const name = `${program} ${machine}`;
    const drawn = skews.get(name) ?? (random() * 2 - 1) * HOUR;
    skews.set(name, drawn);
    return machine === 0 && program !== 'sweeper' ? 0 : drawn;
  };
  const provider = new RememberingProvider(resubmit);
  const machines = { pick: () => (random() < RIGHT ? 0 : 1 + Math.floor(random() * 2)), skew };
  const stage = await FaultyStage.open(world, provider, machines);
  await stage.run({ sweeps: true, hours: 4 });
  const [row, account, events] = [await stage.row(), await stage.account(), await stage.events()];
  const told = new Set(stage.webhooks.map(({ id }) => id)).size;
  const isInTime = (stage.endedAt ?? 0) * 1000 + START.getTime() < stage.job.deadline_at;
  return { works: provider.works, isInTime, row, account, events, told };
}

describe.each(['token', 'lookup'] as const)('at a provider that is asked again by %s', (resubmit) => {
  test('no clock that is up to an hour wrong loses a job, submits it twice or bills it twice', async () => {
    const ends: unknown[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { works, isInTime, row, account, events, told } = await live(resubmit, seed);
      // What is refused too often is late, and may miss its deadline; nothing ends before it.
      const end = isInTime || row.status === 'completed' ? 'completed' : 'expired';
      const cost = end === 'completed' ? 40_000 : 0;
      expect([seed, row.status, row.cost_micros ?? 0, told, events]).toEqual([
        seed,
        end,
        cost,
        1,
        [`video.generation.${end} delivered`],
      ]);
      expect(works).toBeLessThanOrEqual(1);
      expect(account).toMatchObject({
        reserved: 0,
        open_jobs: 0,
        lifetime: { committed: cost, spent: cost },
      });
      ends.push(end);
    }
    expect(ends.filter((end) => end === 'completed').length).toBeGreaterThan(SEEDS * 0.7);
  });
});
