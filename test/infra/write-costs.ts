/**
 * Renews the table of idle costs in docs/deploy.md from the templates. The sums in README.md must be changed by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { costedStages, costTable } from './cost-table.ts';
import setUp from './set-up.ts';

const PAGE = 'docs/deploy.md';

await setUp();
const table = costTable(await costedStages());
const page = readFileSync(PAGE, 'utf8');
writeFileSync(
  PAGE,
  page.replace(/^\| idle, USD a month .*\n(?:\|.*\n)*/m, () => `${table}\n`),
);
process.stdout.write(`${table}\n`);
