import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { programsOf } from './roles.ts';
import { EVERY_KIND_OF_PROVIDER, rightsOf } from './security-table.ts';
import { synthesize } from './template.ts';

/** The rows of the page's table: a right, who has it, and the damage if such a program is taken over. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));

test('docs/security.md names every right of the template and who has it; renew it with node test/infra/write-security.ts', async () => {
  const programs = programsOf(await synthesize('prod', EVERY_KIND_OF_PROVIDER));
  const written = rows.map(([right, names]) => ({ right: right?.replaceAll('`', ''), programs: names }));
  expect(written).toEqual(rightsOf(programs));
});

test('docs/security.md says of each what it costs', () => {
  for (const [right, , cost] of rows) expect([right, cost]).toEqual([right, expect.stringMatching(/\w{3,}/)]);
});
