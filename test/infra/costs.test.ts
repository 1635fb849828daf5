import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { costedStages, costTable, idleCosts, totalOf } from './cost-table.ts';

const stages = await costedStages();

test('docs/deploy.md has the costs of the template; renew it with node test/infra/write-costs.ts', () => {
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(costTable(stages));
});

test('README.md says the same, in round numbers', () => {
  const readme = readFileSync('README.md', 'utf8');
  for (const [title, templates] of Object.entries(stages)) {
    expect(readme).toContain(`| ${title} | about ${Math.round(totalOf(idleCosts(templates)))} USD |`);
  }
});
