/**
 * Renews the tables of costs in docs/deploy.md and docs/scale.md, from the templates, the counted calls and
 * bin/deploy/prices.ts. The sums in README.md must be changed by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { costedStages, costTables, jobsTable, usesTable } from '../../bench/costs/page.ts';
import { costOfJobs, costOfRead } from '../../bench/scale/job-cost.ts';
import setUp from './set-up.ts';

await setUp();
const jobs = await costOfJobs(120);
const costs = { stages: await costedStages(), jobs, read: await costOfRead() };
renew('docs/deploy.md', /^\| idle[^\n]*, USD[\s\S]*?\n\| price.*\n(?:\|.*\n)*/m, `${costTables(costs)}\n`);
renew('docs/scale.md', /^\| a job \|.*\n(?:\|.*\n)*/m, `${usesTable(jobs)}\n`);
renew('docs/scale.md', /^\| a million jobs.*\n(?:\|.*\n)*/m, `${jobsTable(jobs, 'us-east-1')}\n`);

function renew(page: string, old: RegExp, table: string): void {
  const text = readFileSync(page, 'utf8');
  if (!old.test(text)) throw new Error(`${page} has no such table`);
  writeFileSync(
    page,
    text.replace(old, () => table),
  );
}
process.exit(0);
