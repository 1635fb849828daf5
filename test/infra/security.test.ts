import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { EVERY_KIND_OF_PROVIDER, holdersOf, rightsOf, wildcardsOf } from './security-table.ts';
import { checkStage } from './template.ts';

const { template, pluginReports } = await checkStage('prod', EVERY_KIND_OF_PROVIDER);
const holders = holdersOf(Template.fromJSON(template));

/** The rows of the page's table: a right, who has it, and the damage if such a program is taken over. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.slice(2, -2).split(' | '));

test('docs/security.md names every right of the template and who has it; renew it with node test/infra/write-security.ts', () => {
  const written = rows.map(([right, names]) => ({ right: right?.replaceAll('`', ''), programs: names }));
  expect(written).toEqual(rightsOf(holders));
});

test('docs/security.md says of each what it costs', () => {
  for (const [right, , cost] of rows) expect([right, cost]).toEqual([right, expect.stringMatching(/\w{3,}/)]);
});

test('each wildcard that cdk-nag finds in a role has its line', () => {
  const found = pluginReports
    .flatMap(({ suppressedViolations }) => suppressedViolations)
    .filter(({ ruleName }) => ruleName.startsWith('AwsSolutions-IAM5'));
  const told = holders.flatMap(wildcardsOf);
  expect(told.length).toBeGreaterThan(50);
  expect(found).toHaveLength(told.length);
  const first = rows.map(([right]) => right);
  for (const resource of new Set(told)) {
    expect(first).toContainEqual(expect.stringContaining(`\`${resource}: `));
  }
});
