import type { Ends } from './await-ends.ts';
import * as checks from './checks.ts';
import { mostAtOnce, readJobs, type SeenJob, spreadOfEnds } from './ended-jobs.ts';
import type { FunctionLog } from './function-log.ts';
import type { Kind } from './kinds.ts';
import type { Owner } from './owner.ts';
import type { Depth, Queues } from './queues.ts';
import type { Told } from './receiver.ts';

const SHOWN_PROBLEMS = 10;

/** The settings and results of one run. */
export interface Flight {
  readonly queues: Queues;
  readonly owner: Owner;
  readonly submitted: ReadonlyMap<string, Kind>;
  /** In milliseconds. */
  readonly submitting: number;
  /** The messages that were deleted from the jobs queue. */
  readonly purged: Depth | undefined;
  readonly ends: Ends;
  readonly told: ReadonlyMap<string, Told>;
  readonly log: FunctionLog;
}

/** Prints the results of a run. @returns whether all checks passed */
export async function report(flight: Flight): Promise<boolean> {
  const { submitted, told, owner, queues, purged, log } = flight;
  const jobs = await readJobs(owner.api);
  const overdue = log.jobs('job was overdue');
  console.table(byKind(submitted, jobs));
  console.table(log.table());
  tellTimes(flight, jobs);
  if (purged !== undefined)
    say(`deleted in mid-flight: ${JSON.stringify(purged)}; then found overdue: ${overdue} jobs`);
  if (flight.ends.told === undefined) await tellDepths(queues);
  const outcomes: (readonly [string, checks.Problems])[] = [
    ['all were in flight at once', checks.wereInFlight(submitted, mostAtOnce(jobs))],
    ['every job has ended as its kind demands', checks.asDemanded(submitted, jobs)],
    ['each has one end in its history', checks.endedOnce(jobs)],
    ['each callback got one event', checks.toldOnce(told, jobs)],
    ['no money is held, and accounts say what jobs cost', checks.moneyAddsUp(await owner.accounts(), jobs)],
    ['the dead-letter queues are empty', await checks.noDeadLetters(queues)],
    ...(purged === undefined
      ? []
      : [['the sweeper made good what was deleted', checks.wereSwept(purged, overdue)] as const]),
  ];
  for (const [title, problems] of outcomes) tell(title, problems);
  return outcomes.every(([, problems]) => problems.length === 0);
}

function byKind(submitted: ReadonlyMap<string, Kind>, jobs: readonly SeenJob[]) {
  const named = jobs.map(({ id, status }) => ({ kind: submitted.get(id)?.name ?? 'unknown', status }));
  const groups = [...Map.groupBy(named, ({ kind }) => kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    [...groups, ['all', named] as const].map(([kind, all]) => [
      kind,
      { jobs: all.length, ...countBy(all.map(({ status }) => status)) },
    ]),
  );
}

const countBy = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]));

function tellTimes({ submitting, ends, told }: Flight, jobs: readonly SeenJob[]): void {
  const spread = spreadOfEnds(jobs);
  const rate = (milliseconds: number) => `${(jobs.length / (milliseconds / 1000)).toFixed(1)} jobs/s`;
  say(`submitted in ${seconds(submitting)}, ${rate(submitting)}; at most ${mostAtOnce(jobs)} open at once`);
  say(`until all had ended: ${seconds(ends.ended)}; until all callbacks were called: ${seconds(ends.told)}`);
  if (ends.ended !== undefined)
    say(`nine in ten ended within ${seconds(spread)} of each other, ${rate(spread / 0.9)}`);
  say(`callbacks repeated: ${repeats(told)}`);
}

const seconds = (milliseconds: number | undefined) =>
  milliseconds === undefined ? 'not by the deadline' : `${(milliseconds / 1000).toFixed(1)} s`;

/** Repeated deliveries of an event, which at-least-once delivery allows. */
function repeats(told: ReadonlyMap<string, Told>): number {
  const events = [...told.values()].flatMap((each) => [...each.values()]);
  return events.reduce((sum, { times }) => sum + times - 1, 0);
}

/** Prints where the messages of open jobs are. */
async function tellDepths(queues: Queues): Promise<void> {
  for (const name of queues.names) say(`${name}: ${JSON.stringify(await queues.depth(name))}`);
}

function tell(title: string, problems: checks.Problems): void {
  say(`${problems.length === 0 ? 'yes' : 'NO '} ${title}`);
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) say(`      ${problem}`);
  if (problems.length > SHOWN_PROBLEMS) say(`      and ${problems.length - SHOWN_PROBLEMS} more`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
