import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListChangeSetsCommand,
} from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ROOT } from '../../lib/bundling/folders.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { DrilledStage } from '../drills/drilled-stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'genway-deploy-'));
const config = join(folder, 'mine.jsonc');
const StackName = 'Genway-mine';
const SETTINGS = {
  platform: 'emulator',
  edge: 'none',
  allowedPrivateHosts: ['127.0.0.1', 'localhost'],
  data: 'destroy',
  largeUploads: 'off',
  videos: { providers: { sandbox: {} } },
};

/** Of one function, because the emulator updates each in turn. */
const CHANGE = { reservedConcurrency: { poller: 100 } };

let drilled: DrilledStage;
let cloudFormation: CloudFormationClient;
beforeAll(async () => {
  drilled = await DrilledStage.start();
  cloudFormation = new CloudFormationClient(drilled.aws);
});
afterAll(async () => {
  await drilled[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function deploy(settings: object, ...args: string[]) {
  writeFileSync(config, `// Ours\n${JSON.stringify({ ...SETTINGS, ...settings })}`);
  // The API and S3 are one origin at the emulator, so a client would send its key along to a download. By another name it is another.
  const AWS_ENDPOINT_URL = drilled.aws.endpoint.replace('127.0.0.1', 'localhost');
  const env = { ...awsEnvironment(drilled.aws), AWS_ENDPOINT_URL, CDK_VALIDATION: 'false' };
  const program = [join(ROOT, 'bin/genway.ts'), 'deploy', '--config', config];
  return runCommand(process.execPath, [...program, ...args], { cwd: folder, env });
}

async function stackNow() {
  const described = cloudFormation.send(new DescribeStacksCommand({ StackName }));
  return (await described.catch(() => undefined))?.Stacks?.[0];
}

test('a stage that cannot be deployed yet is left alone', async () => {
  const { code, output } = await deploy({}, '--yes');
  expect([code, output]).toEqual([1, expect.stringMatching(/Before you deploy \S+, fix: bootstrap/)]);
  expect(await stackNow()).toBeUndefined();
});

test('a first deployment that nobody confirms leaves no stack', async () => {
  await drilled.bootstrap();
  const { code, output } = await deploy({});
  expect([code, output]).toEqual([6, expect.stringContaining('Nothing was deployed')]);
  expect(await stackNow()).toBeUndefined();
});

test('a new stage is shown, deployed and verified, by a key that is gone afterwards', async () => {
  const { code, output } = await deploy({}, '--yes');
  expect([code, output]).toEqual([0, expect.stringContaining('This is the first deployment\nAdds: ')]);
  expect(output).toMatch(/^ +\d\d {2}AWS::DynamoDB::GlobalTable$/m);
  expect(output).toMatch(
    /costs about \d+\.\d\d USD a month while it is idle, or \d+\.\d\d in an account without other alarms and dashboards$/m,
  );
  expect(output).toMatch(/^passed +completes the demo/m);
  const { Outputs = [] } = (await stackNow()) ?? {};
  const outputOf = (name: string) => Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
  expect(output).toContain(
    `API      ${drilled.aws.endpoint.replace('127.0.0.1', 'localhost')}/_aws/execute-api/${outputOf('ApiId')}/api/v1\n`,
  );
  const keys = new ScanCommand({ TableName: outputOf('KeysTable') });
  expect((await new DynamoDBClient(drilled.aws).send(keys)).Items).toEqual([]);
}, 600_000);

test('without a terminal a change is shown and not made; with --yes it is', async () => {
  const shown = await deploy(CHANGE);
  expect([shown.code, shown.output]).toEqual([6, expect.stringContaining('confirm with --yes')]);
  expect(shown.output).toMatch(/^Changes in place: \d+\n +\d+ {2}AWS::Lambda::Function$/m);
  const { Summaries } = await cloudFormation.send(new ListChangeSetsCommand({ StackName }));
  expect(Summaries?.filter(({ ExecutionStatus }) => ExecutionStatus === 'AVAILABLE')).toEqual([]);
  expect((await stackNow())?.StackStatus).toBe('CREATE_COMPLETE');
  expect(await deploy(CHANGE, '--yes', '--no-verify')).toMatchObject({ code: 0 });
  expect((await stackNow())?.StackStatus).toBe('UPDATE_COMPLETE');
  const again = await deploy(CHANGE, '--no-verify');
  expect([again.code, again.output]).toEqual([0, expect.stringContaining('\nNo changes\n')]);
}, 600_000);

test('a change that may replace a bucket is refused, even with --yes', async () => {
  // The emulator cannot tell whether this replaces a bucket. AWS can: it does not.
  const { code, output } = await deploy({ ...CHANGE, objectVersionDays: 3 }, '--yes');
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^!!! DATA AT RISK: FilesBucket\w+ \(AWS::S3::Bucket\) might be replaced/m),
  ]);
  expect((await stackNow())?.StackStatus).toBe('UPDATE_COMPLETE');
});
