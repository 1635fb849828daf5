import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { costedStages, type IdleCosts } from '../../bench/costs/idle.ts';
import { costTables, jobsTable, usesTable } from '../../bench/costs/page.ts';
import { costOfJob, costOfRead } from '../../bench/scale/job-cost.ts';

let stages: Record<string, IdleCosts>;
beforeAll(async () => {
  stages = await costedStages();
}, 120_000);

test('docs/deploy.md and docs/scale.md have the costs of the template and of the counted calls; renew them with node test/infra/write-costs.ts', async () => {
  const job = await costOfJob(120);
  const page = readFileSync('docs/deploy.md', 'utf8');
  expect(page).toContain(costTables({ stages, job, read: await costOfRead() }));
  const scale = readFileSync('docs/scale.md', 'utf8');
  expect(scale).toContain(usesTable(job));
  expect(scale).toContain(jobsTable(job));
}, 120_000);

test('README.md says the same, in round numbers', () => {
  const readme = readFileSync('README.md', 'utf8');
  for (const [title, { total }] of Object.entries(stages)) {
    expect(readme).toContain(`| ${title} | about ${Math.round(total)} USD |`);
  }
});

test('docs/deploy.md says how much of it is the way for large uploads', () => {
  const { '`prod` elsewhere': { parts, total, free } = { parts: [], total: 0, free: 0 } } = stages;
  const way = parts
    .filter(({ what }) => /task|load balancer/.test(what))
    .reduce((sum, { dollars }) => sum + dollars, 0);
  const told = `That way is ${way.toFixed(2)} of it, and the rest ${(total - free - way).toFixed(2)} in an account`;
  expect(readFileSync('docs/deploy.md', 'utf8')).toContain(told);
});
