import type { Call } from '../test/engines/index.ts';
import { dollarsOf } from './scale/dollars.ts';
import { hotRows } from './scale/hot-rows.ts';
import { type JobCost, limitsOf } from './scale/limits.ts';
import { measureJobs, type Used } from './scale/measure-jobs.ts';

/**
 * Computes which AWS limit a number of simultaneous jobs reaches first, from what one job uses. It runs real jobs through
 * the real functions, over AWS in memory. The tables of `docs/scale.md` are copied from its output.
 *
 *   npx node bench/scale.ts [seconds that a video takes]
 */
const SECONDS = Number(process.argv[2] ?? 120);
const JOBS = 10;
const AT_ONCE = [1_000, 100_000, 1_000_000];

const used = await measureJobs(JOBS, SECONDS);
const cost = costOf(used);
const perSecond = (jobs: number) => jobs / SECONDS;
const rounded = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));

table(
  ['a job', 'how many'],
  [
    ...Object.entries(cost.messages).map(([program, count]) => [`messages to the ${program}`, count]),
    ...[...cost.writeUnits].map(([name, units]) => [`write units of \`${name}\``, units]),
    ['reads of DynamoDB', cost.reads],
  ],
);
const limits = limitsOf(cost);
table(
  ['limit', 'jobs a second', 'jobs at once', 'what raises it'],
  limits.map(({ name, reachedAt, raise }) => [name, reachedAt, reachedAt * SECONDS, raise]),
);
table(
  ['jobs at once', 'jobs a second', 'limits that are exceeded, and by how much'],
  AT_ONCE.map((jobs) => {
    const passed = limits.filter(
      ({ reachedAt, isOfWorkspace }) => !isOfWorkspace && reachedAt < perSecond(jobs),
    );
    const told = passed.map(({ name, reachedAt }) => {
      const [what] = name.split(':');
      return `${what} ${rounded(perSecond(jobs) / reachedAt)} ×`;
    });
    return [jobs, perSecond(jobs), told.join('; ') || 'none'];
  }),
);
table(['a million jobs', 'USD'], dollarsOf(cost));

function costOf({ calls, writeUnits }: Used): JobCost {
  const sentTo = (queue: string) =>
    calls.filter(
      ({ operation, input }) => operation === 'SendMessage' && JSON.stringify(input).includes(`/${queue}"`),
    ).length / JOBS;
  const units = [...writeUnits].map(([name, all]) => [name, all / JOBS] as const);
  return {
    requests: 1,
    messages: {
      submitter: sentTo('Videos-Submits'),
      poller: sentTo('Videos-Queue'),
      copier: sentTo('Videos-Copies'),
      deliverer: sentTo('Webhooks-Queue'),
    },
    reads: reads(calls) / JOBS,
    writeUnits: new Map(units.filter(([, count]) => count > 0)),
    rows: hotRows(calls, JOBS),
  };
}

function reads(calls: readonly Call[]): number {
  return calls.filter(({ operation }) => ['GetItem', 'BatchGetItem', 'Query'].includes(operation)).length;
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? rounded(cell) : cell)));
  const all = [head, head.map(() => '---'), ...lines].map((row) => `| ${row.join(' | ')} |`);
  process.stdout.write(`${all.join('\n')}\n\n`);
}
process.exit(0);
