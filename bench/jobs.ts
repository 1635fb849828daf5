import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aJob } from '../test/videos/jobs/job-fixture.ts';
import { Crash, JobWorld } from '../test/videos/worker/job-world.ts';
import { type Fault, SimulatedProvider } from '../test/videos/worker/simulated-provider.ts';

/**
 * Many jobs at once, at a provider that fails one call in ten, with workers that crash at one call in two hundred. Stores
 * and clock are in memory; the rules are the poller's own. Fails unless every job ends once, with one event, and the
 * provider makes it once.
 *
 *   npx node bench/jobs.ts [jobs] [seed]
 */
const JOBS = Number(process.argv[2] ?? 1_000);
const SEED = Number(process.argv[3] ?? 1);
const MINUTE = 60_000;

const fault = fc.oneof(
  { weight: 90, arbitrary: fc.constant<Fault>('none') },
  { weight: 10, arbitrary: fc.constantFrom<Fault>('lost_after', 'unavailable', 'rate_limited', 'spoilt') },
);
const crash = fc.oneof(
  { weight: 398, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom('before' as const, 'after' as const) },
);
const draws = { numRuns: 20_000, seed: SEED };
const [faults, crashes] = [fc.sample(fault, draws), fc.sample(crash, draws)];

function newWorld() {
  let calls = 0;
  const provider = new SimulatedProvider({
    resubmit: 'lookup',
    outcome: () => 'succeeded',
    seconds: 75,
    fault: () => faults[calls++ % faults.length] ?? 'none',
    retryAfterSeconds: 20,
    now: () => world.now,
  });
  const ids = Array.from({ length: JOBS }, (_, i) => `vid_${String(i).padStart(26, '0')}`);
  // Every ten jobs have their own workspace, so that a limit of one does not affect the others.
  const jobs = ids.map((id, i) => aJob({ id, workspace_id: `ws-${Math.floor(i / 10)}` }));
  const world = new JobWorld(provider.script(), ...jobs);
  world.crash = (call) => crashes[call % crashes.length];
  return { world, provider };
}

async function sweep(world: JobWorld): Promise<void> {
  try {
    await world.sweep();
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
  }
}

/** For each minute: runs the sweeper, then delivers every message that is due. */
async function drive(world: JobWorld): Promise<number> {
  let deliveries = 0;
  const latest = world.now + 60 * MINUTE;
  while (world.settlements < JOBS && world.now < latest) {
    const until = world.now + MINUTE;
    await sweep(world);
    for (;;) {
      const due = world.messages.filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt);
      if (due.length === 0) break;
      for (const message of due) await world.deliver(message);
      deliveries += due.length;
    }
    world.now = Math.max(world.now, until);
  }
  return deliveries;
}

const { world, provider } = newWorld();
const [started, virtualStart] = [performance.now(), world.now];
const deliveries = await drive(world);
const milliseconds = performance.now() - started;

const count = (values: Iterable<string>) =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));
const rows = [...world.rows.values()];
console.log('jobs', count(rows.map(({ status }) => status)));
console.log('calls', count(world.calls));
console.log({
  deliveries,
  dead_letters: world.deadLetters.length,
  settlements: world.settlements,
  events: world.events.size,
  made_twice: [...provider.works.values()].filter(({ length }) => length > 1).length,
  virtual_minutes: (world.now - virtualStart) / MINUTE,
  milliseconds: Math.round(milliseconds),
});
assert.ok(
  rows.every(({ phase }) => phase === 'settled'),
  'every job has ended',
);
assert.equal(world.settlements, JOBS, 'each of them once');
assert.equal(world.events.size, JOBS, 'with one event');
assert.ok(
  [...provider.works.values()].every(({ length }) => length === 1),
  'and was made once',
);
