import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { type CostedStages, costedStages, costTables, jobsTable, usesTable } from '../../bench/costs/page.ts';
import { costOfJobs, costOfRead } from '../../bench/scale/job-cost.ts';
import type { IdleCosts } from '../../bin/deploy/idle-costs.ts';

let stages: CostedStages;
beforeAll(async () => {
  stages = await costedStages();
});

test('docs/deploy.md and docs/scale.md have the costs of the template and of the counted calls; renew them with node test/infra/write-costs.ts', async () => {
  const jobs = await costOfJobs(120);
  const page = readFileSync('docs/deploy.md', 'utf8');
  expect(page).toContain(costTables({ stages, jobs, read: await costOfRead() }));
  const scale = readFileSync('docs/scale.md', 'utf8');
  expect(scale).toContain(usesTable(jobs));
  expect(scale).toContain(jobsTable(jobs, 'us-east-1'));
});

test('README.md says the same, in round numbers', () => {
  const readme = readFileSync('README.md', 'utf8');
  const told = (costs?: IdleCosts) => `about ${Math.round(costs?.total ?? 0)} USD`;
  const { 'us-east-1': us, 'eu-central-1': eu } = stages;
  for (const title of Object.keys(us)) {
    expect(readme).toContain(`| ${title} | ${told(us[title])} | ${told(eu[title])} |`);
  }
});

test('docs/deploy.md says how much of it is the way for large uploads', () => {
  const { '`prod`': { parts, total, free } = { parts: [], total: 0, free: 0 } } = stages['us-east-1'];
  const sumOf = (pattern: RegExp) =>
    parts.filter(({ what }) => pattern.test(what)).reduce((sum, { dollars }) => sum + dollars, 0);
  const way = sumOf(/task|load balancer/);
  const told =
    `That way is ${way.toFixed(2)} of it in us-east-1, and the rest ${(total - free - way).toFixed(2)} in an account of its own. ` +
    `With its keys and its secret it is ${(way + sumOf(/KMS|secret/)).toFixed(2)}`;
  expect(readFileSync('docs/deploy.md', 'utf8').replaceAll('\n', ' ')).toContain(told);
});
