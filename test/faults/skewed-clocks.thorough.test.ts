import { describe, expect, test } from '@jest/globals';
import type { Manners } from '../../functions/videos/providers/manners.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld, seededRandom } from '../engines/index.ts';
import { START } from '../videos/jobs/job-fixture.ts';

const HOUR = 3_600_000;
const SEEDS = 20;
/** Workers believe a clock that is less than ten minutes ahead, so a job may end that much too early. */
const BELIEVED_SECONDS = 600;
/** Half of the machines have the right time, so that wrong ones get to every step of some job. */
const RIGHT = 0.5;

waitBy(new AwsWorld());
const { FaultyStage, LATE_LOOK_SECONDS } = await import('./faulty-stage.ts');

/**
 * Runs a job whose messages go to one of three machines for each function. Only the first machine surely has the right
 * time.
 */
async function live(resubmit: Manners['resubmit'], seed: number, right = RIGHT) {
  const world = new AwsWorld({ start: START });
  waitBy(world);
  const random = seededRandom(seed);
  const skews = new Map<string, number>();
  const skew = (program: string, machine: number) => {
    const name = `${program} ${machine}`;
    const drawn = skews.get(name) ?? (random() * 2 - 1) * HOUR;
    skews.set(name, drawn);
    return machine === 0 && program !== 'sweeper' ? 0 : drawn;
  };
  const machines = { pick: () => (random() < right ? 0 : 1 + Math.floor(random() * 2)), skew };
  const stage = new FaultyStage(world, resubmit, machines);
  await stage.run({ sweeps: true, hours: 4 });
  const [row, account, events] = [await stage.row(), await stage.account(), await stage.events()];
  const told = new Set(stage.webhooks.map(({ id }) => id)).size;
  const { endedAt = 0, received, job } = stage;
  const deadline = (job.deadline_at - START.getTime()) / 1000;
  return { works: stage.provider.works, row, account, events, told, endedAt, deadline, received };
}
type Life = Awaited<ReturnType<typeof live>>;

/**
 * How many seconds refused messages cost the job: from the refusal of a step's message until a message of that step is
 * accepted. Copies of earlier messages do not count.
 */
function lostByRefusals({ received, endedAt }: Life): number {
  let lost = 0;
  let taken = -1;
  let refusedAt: number | undefined;
  for (const { step, second, isTaken } of received.filter((each) => each.second <= endedAt)) {
    if (step <= taken) continue;
    if (!isTaken) refusedAt ??= second;
    else {
      if (refusedAt !== undefined) lost += second - refusedAt;
      refusedAt = undefined;
      taken = step;
    }
  }
  return lost;
}

describe.each(['token', 'lookup'] as const)('at a provider that is asked again by %s', (resubmit) => {
  test('a clock that is up to an hour wrong never loses a job, submits it twice or bills it twice', async () => {
    const usual = await live(resubmit, 0, 1);
    const looks = usual.received.filter(({ second }) => second <= usual.endedAt).length;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const life = await live(resubmit, seed);
      const { works, row, account, events, told, endedAt, deadline } = life;
      // Many refusals make a job late. It then expires if its provider had not finished by the deadline, and fails if
      // no machine with a right clock copied its video in time.
      const copies = life.received.filter(({ program }) => program === 'copier');
      const isCopied = copies.some(({ isTaken }) => isTaken);
      const end = isCopied ? 'completed' : copies.length > 0 ? 'failed' : 'expired';
      const cost = isCopied ? 40_000 : 0;
      expect([seed, row.phase, row.status, row.cost_micros ?? 0, told, events]).toEqual([
        seed,
        'settled',
        end,
        cost,
        1,
        [`video.generation.${end} delivered`],
      ]);
      expect(isCopied || endedAt >= deadline - BELIEVED_SECONDS).toBe(true);
      // Only refusals may make the job late. Apart from them, each step waits for at most one look at the queue.
      const own = endedAt - lostByRefusals(life);
      expect(own).toBeLessThanOrEqual(usual.endedAt + looks * LATE_LOOK_SECONDS);
      const isSubmitted = life.received.some(({ isTaken, second }) => isTaken && second < deadline);
      expect(works).toBe(isSubmitted ? 1 : 0);
      expect(account).toMatchObject({
        reserved: 0,
        open_jobs: 0,
        lifetime: { committed: cost, spent: cost },
      });
    }
  });
});
