import { beforeAll, describe, expect, test } from '@jest/globals';
import { programsOf, rolesOf, type Statement } from './roles.ts';
import { checkStage, synthesize } from './template.ts';

/** Findings of cdk-nag's AwsSolutions for which the construct gives no reason. */
async function findingsOf(stage: string): Promise<string[]> {
  const { pluginReports } = await checkStage(stage);
  const [nag] = pluginReports.filter(({ pluginName }) => pluginName === 'AwsSolutions');
  // Without any accepted finding, cdk-nag has probably not run.
  expect(nag?.suppressedViolations.length).toBeGreaterThan(5);
  return nag?.violations.map(({ ruleName }) => ruleName) ?? [];
}

test.each(['prod', 'dev', 'local'])(
  '%s follows the rules of AwsSolutions, or records why not',
  async (stage) => {
    expect(await findingsOf(stage)).toEqual([]);
  },
);

/** AWS cannot limit these actions to single resources. */
const OF_EVERYTHING = [
  'ec2:DescribeManagedPrefixLists',
  'ec2:DescribeAvailabilityZones',
  'ecr:GetAuthorizationToken',
];

describe('a policy', () => {
  let statements: Statement[];
  beforeAll(async () => {
    const template = await synthesize('prod');
    expect(programsOf(template).length).toBeGreaterThan(50);
    statements = [...rolesOf(template).values()].flat();
  });

  test('allows no action by a wildcard', () => {
    expect(statements.flatMap(({ Action }) => Action).filter((action) => action.includes('*'))).toEqual([]);
  });

  test('allows no action on all resources, unless AWS supports nothing narrower', () => {
    const onAll = statements
      .filter(({ Resource }) => [Resource].flat().includes('*'))
      .flatMap(({ Action }) => Action);
    expect([...new Set(onAll)].toSorted()).toEqual(OF_EVERYTHING.toSorted());
  });
});
