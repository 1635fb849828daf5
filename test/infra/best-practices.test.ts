import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readSettings } from '../../lib/stage/read-settings.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { blocksOf } from '../docs/blocks.ts';
import { pythonPackages } from '../python/packages.ts';
import { programsOf, rolesOf, type Statement } from './roles.ts';
import type { CheckedStage } from './synthesizer/answers.ts';
import { checkStage, synthesize, WITHOUT_EDGE } from './template.ts';

const HERE = { account: '123456789012', region: 'eu-central-1' };
const [BROUGHT] = blocksOf('docs/bring-your-own.md');
const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555';

/** What differs most from stage to stage. Rules about regions and accounts need to know both. */
const STAGES: Readonly<Record<string, Parameters<typeof checkStage>>> = {
  dev: ['dev', HERE],
  prod: ['prod', HERE],
  'prod in us-east-1 with everything on': [
    'prod',
    {
      ...HERE,
      region: 'us-east-1',
      data: 'destroy',
      domain: { name: 'api.example.com', certificateArn: CERTIFICATE },
      tracing: true,
      alarms: { page: ['pager@example.com'], ticket: ['https://tickets.example.com/new'] },
      reservedConcurrency: { submitter: 50, poller: 50, copier: 50, deliverer: 50 },
      tags: { owner: 'video' },
      videos: {
        providers: {
          sandbox: { credential: 'none' },
          fal: { credential: 'workspace' },
          bedrock: { credential: 'none', aws: { region: 'us-east-1', bucket: 'results-of-bedrock' } },
        },
        models: [],
      },
    },
  ],
  'prod with all that a deployer can bring': ['prod', readSettings('prod', JSON.parse(BROUGHT?.text ?? ''))],
  'prod for an account without CloudFront': ['prod', { ...HERE, ...WITHOUT_EDGE }],
};

/** cfn-lint takes ten seconds of a core for one of them, so it gets those that have all properties of the others. */
const LINTED = ['prod in us-east-1 with everything on', 'prod with all that a deployer can bring'];

/** Why each is accepted is said in `lib/`, where the resource is made. */
const ACCEPTED_OF_PREFLIGHT = ['pf-elbv2-lb-one-subnet-per-az LargeUploads/LoadBalancer/Resource'];

const resourcesSchema = v.record(v.string(), v.looseObject({ Type: v.string() }));

type Findings = CheckedStage['pluginReports'][number]['violations'];
const told = (findings: Findings = []): string[] =>
  findings.flatMap(({ ruleName, violatingConstructs }) =>
    violatingConstructs.map(
      ({ constructPath }) => `${ruleName} ${constructPath.replace(/^[^/]+\/Default\//, '')}`,
    ),
  );

const reportOf = ({ pluginReports }: CheckedStage, plugin: string) =>
  pluginReports.find(({ pluginName }) => pluginName === plugin);

describe.each(Object.entries(STAGES))('%s', (name, stage) => {
  let checked: CheckedStage;
  beforeAll(async () => {
    checked = await checkStage(...stage);
  });

  test('follows the rules of AwsSolutions, or records why not', () => {
    const report = reportOf(checked, 'AwsSolutions');
    expect(told(report?.violations)).toEqual([]);
    // Without any accepted finding, cdk-nag has probably not run.
    expect(report?.suppressedViolations.length).toBeGreaterThan(5);
  });

  test('has nothing that cdk-preflight knows AWS to refuse', () => {
    const report = reportOf(checked, 'cdk-preflight');
    expect(told(report?.violations)).toEqual([]);
    const hasUploads = stage[1]?.largeUploads !== 'off';
    const hasOwnNetwork = hasUploads && stage[1]?.vpc === undefined;
    expect(told(report?.suppressedViolations)).toEqual(hasOwnNetwork ? ACCEPTED_OF_PREFLIGHT : []);
  });

  if (LINTED.includes(name))
    test('has nothing that cfn-lint finds', async () => {
      expect(await lint(checked, stage[1]?.region ?? undefined)).toEqual({ code: 0, output: '' });
    });
  else
    test('has no property that cfn-lint does not see in another stage', async () => {
      const linted = await Promise.all(LINTED.map((other) => checkStage(...STAGES[other]!)));
      expect([
        ...propertiesOf(checked).difference(new Set(linted.flatMap((each) => [...propertiesOf(each)]))),
      ]).toEqual([]);
    });
});

/** The paths of all properties of resources, without names that stages choose: those of resources, variables and parameters. */
function propertiesOf({ template, parts }: CheckedStage): Set<string> {
  const paths = new Set<string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null)
      paths.add(path.replace(/(?<=\.(Variables|Parameters)\.)\w+/, ''));
    else
      for (const [name, inner] of Object.entries(value))
        walk(inner, `${path}.${Array.isArray(value) ? '' : name}`);
  };
  for (const { Resources } of [template, ...Object.values(parts)])
    for (const resource of Object.values(v.parse(resourcesSchema, Resources))) walk(resource, resource.Type);
  return paths;
}

/** Besides those of `.cfnlintrc.yaml`, which says why. */
async function lint({ template, parts }: CheckedStage, region = ''): ReturnType<typeof runCommand> {
  const folder = mkdtempSync(join(tmpdir(), 'genway-lint-'));
  try {
    const files = Object.entries({ ...parts, main: template }).map(([name, content]) => {
      const file = join(folder, `${name}.template.json`);
      writeFileSync(file, JSON.stringify(content));
      return file;
    });
    const program = join(await pythonPackages('cfn-lint.txt'), 'cfn-lint');
    return await runCommand(program, ['--regions', region, '--', ...files]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the stage of a local run follows the rules of AwsSolutions, or records why not', async () => {
  expect(told(reportOf(await checkStage('local'), 'AwsSolutions')?.violations)).toEqual([]);
});

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
