import { beforeAll, describe, expect, test } from '@jest/globals';
import { programsOf, rolesOf, type Statement } from './roles.ts';
import { checkStage, synthesize } from './template.ts';

/** What cdk-nag's AwsSolutions finds in a stage, for which no reason is given on the construct. */
async function findingsOf(stage: string): Promise<string[]> {
  const { pluginReports } = await checkStage(stage);
  const [nag] = pluginReports.filter(({ pluginName }) => pluginName === 'AwsSolutions');
  // Without any it would not have looked.
  expect(nag?.suppressedViolations.length).toBeGreaterThan(5);
  return nag?.violations.map(({ ruleName }) => ruleName) ?? [];
}

test.each(['prod', 'dev', 'local'])(
  '%s follows the rules of AwsSolutions, or records why not',
  async (stage) => {
    expect(await findingsOf(stage)).toEqual([]);
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
