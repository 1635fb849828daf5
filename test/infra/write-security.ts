/** Renews the table of rights in docs/security.md from the template. The column with the consequences is kept. */
import { readFileSync, writeFileSync } from 'node:fs';
import { EVERY_KIND_OF_PROVIDER, holdersOf, rightsOf } from './security-table.ts';
import setUp from './set-up.ts';
import { synthesize } from './template.ts';

const PAGE = 'docs/security.md';

await setUp();
const page = readFileSync(PAGE, 'utf8').split('\n');
const isRow = (line: string) => line.startsWith('| `');
const costs = new Map(
  page
    .filter(isRow)
    .map((row) => row.slice(2, -2).split(' | '))
    .map(([right, , cost]) => [right, cost]),
);
const rights = rightsOf(holdersOf(await synthesize('prod', EVERY_KIND_OF_PROVIDER)));
const rows = rights.map(
  ({ right, programs }) => `| \`${right}\` | ${programs} | ${costs.get(`\`${right}\``) ?? ''} |`,
);
const first = page.findIndex((line) => line.startsWith('|---')) + 1;
writeFileSync(
  PAGE,
  [...page.slice(0, first), ...rows, ...page.slice(first).filter((line) => !isRow(line))].join('\n'),
);
