import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as v from 'valibot';
import { GenwayStack } from '../../lib/genway-stack.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import { programsOf, rolesOf, type Statement } from './roles.ts';
import { synthesize } from './template.ts';

const rules = v.array(v.object({ ruleName: v.string() }));
const reportSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    pluginReports: v.array(
      v.object({ pluginName: v.string(), violations: rules, suppressedViolations: rules }),
    ),
  }),
);

/** What cdk-nag's AwsSolutions finds in a stage, for which no reason is given on the construct. */
function findingsOf(stage: string): string[] {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new GenwayStack(app, `Genway-${stage}`, { config: stageConfig(stage) });
  try {
    app.synth();
  } catch {
    // What it found is in its report.
  }
  const report = v.parse(reportSchema, readFileSync(`${app.outdir}/validation-report.json`, 'utf8'));
  const [nag] = report.pluginReports.filter(({ pluginName }) => pluginName === 'AwsSolutions');
  // Without any it would not have looked.
  expect(nag?.suppressedViolations.length).toBeGreaterThan(5);
  return nag?.violations.map(({ ruleName }) => ruleName) ?? [];
}

test.each(['prod', 'dev', 'local'])(
  '%s keeps the rules of AwsSolutions, or says at its part why not',
  (stage) => {
    expect(findingsOf(stage)).toEqual([]);
  },
);

/** AWS knows no narrower resource for these actions. */
const OF_EVERYTHING = [
  'ec2:DescribeManagedPrefixLists',
  'ec2:DescribeAvailabilityZones',
  'ecr:GetAuthorizationToken',
];

describe('a policy', () => {
  let statements: Statement[];
  beforeAll(() => {
    const template = synthesize('prod');
    expect(programsOf(template).length).toBeGreaterThan(50);
    statements = [...rolesOf(template).values()].flat();
  });

  test('allows no action by a wildcard', () => {
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  test('allows nothing on everything, but what AWS allows in no other way', () => {
    const onAll = statements
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    expect([...new Set(onAll)].toSorted()).toEqual(OF_EVERYTHING.toSorted());
  });
});
