import { parseArgs } from 'node:util';
import { markdownTable, rounded } from './costs/page.ts';
import { costOfJob } from './scale/job-cost.ts';
import { limitsOf } from './scale/limits.ts';

/**
 * Computes which AWS limit a number of simultaneous jobs reaches first, from what one job uses. It runs real jobs through
 * the real functions, over AWS in memory. The tables of limits in `docs/scale.md` are copied from its output; the others are
 * written by `test/infra/write-costs.ts`.
 *
 *   npx node bench/scale.ts [seconds that a video takes] [--callbacks]
 */
const { values, positionals } = parseArgs({
  options: { callbacks: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const SECONDS = Number(positionals[0] ?? 120);
const AT_ONCE = [1_000, 100_000, 1_000_000];

const cost = await costOfJob({ seconds: SECONDS, callsBack: values.callbacks });
const perSecond = (jobs: number) => jobs / SECONDS;
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

function table(...rows: Parameters<typeof markdownTable>): void {
  process.stdout.write(`${markdownTable(...rows)}\n\n`);
}
process.exit(0);
