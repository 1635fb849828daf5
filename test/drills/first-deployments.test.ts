/**
 * Lets a stage's first deployment fail in six places, clears each with the commands that doctor prints, and deploys:
 * `npm run drills:first`. `-- -t edge` tries the places with that word. It needs the AWS CLI.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFrontClient, CreateFunctionCommand, DeleteFunctionCommand } from '@aws-sdk/client-cloudfront';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import { DemoApi } from '../../local/demo/demo-api.ts';
import { STACK } from '../../local/deployment/deploy.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { CDK, DrilledStage, DrillFailed, type Settings } from './drilled-stage.ts';
import { holdings } from './left-over.ts';

const KEPT = { data: 'retain', account: '000000000000', region: 'us-east-1', objectVersionDays: 7 };
const WITH_EDGE = { ...KEPT, edge: 'cloudfront', edgeSecretSha256: [] };
/** How often doctor may have something to say before nothing is left. */
const ROUNDS = 3;
const listSchema = v.object({ data: v.array(v.unknown()) });

interface Place {
  readonly name: string;
  readonly settings?: Settings;
  /** What doctor says of the failure. */
  readonly said: RegExp;
  /** @returns what removes the cause, where that is not what doctor says */
  readonly breaks: (stage: DrilledStage) => Promise<(() => Promise<void>) | undefined>;
}

const nothing = async () => undefined;
/** Only a new account has none. */
const BOOTSTRAP = 'the bootstrap';

const PLACES: readonly Place[] = [
  { name: BOOTSTRAP, said: /is not bootstrapped in/, breaks: nothing },
  { name: 'a bootstrap of long ago', said: /version 5 is older than 6/, breaks: bootstrapAsLongAgo },
  {
    name: 'a custom resource',
    said: /failed at DeploymentValues\w* \(Custom::GenwayValues\)/,
    breaks: async (stage) => brokenAsset(stage, await codeOf(stage, 'derive-values', KEPT), failingProgram()),
  },
  {
    name: 'a nested stack',
    // The emulator tells of it as the parent's event only; AWS has the events of the nested stack too.
    said: /failed at \w+ \(AWS::CloudFormation::Stack\): WaitCondition timed out/,
    breaks: breakNestedStack,
  },
  {
    name: 'the pages of the console',
    settings: WITH_EDGE,
    said: /failed at \w+ \(Custom::GenwayConsole\)/,
    breaks: async (stage) =>
      brokenAsset(stage, await codeOf(stage, 'publish-console', WITH_EDGE), failingProgram()),
  },
  {
    name: 'the edge',
    settings: WITH_EDGE,
    said: /failed at \w+ \(AWS::CloudFront::Function\): .*already exists/,
    breaks: takeNameAtCloudFront,
  },
];

jest.setTimeout(3_600_000);

let stage: DrilledStage;
beforeAll(async () => {
  stage = await DrilledStage.start();
});
afterAll(() => stage[Symbol.asyncDispose]());

test.each(PLACES)('a deployment that failed at $name is cleared, and then succeeds', async (place) => {
  const { name, settings = KEPT, said, breaks } = place;
  if (name !== BOOTSTRAP) await stage.bootstrap();
  const repair = await breaks(stage);
  await expect(stage.deploy(settings)).rejects.toThrow(DrillFailed);
  expect(await clear(stage)).toMatch(said);
  expect(await holdings(stage.aws)).toEqual({});
  await repair?.();
  await stage.deploy(KEPT);
  await proveUse(stage);
  await stage.destroy(KEPT);
  // What doctor says of the kept resources.
  await clear(stage);
  expect(await holdings(stage.aws)).toEqual({});
});

test('a deployment that failed and was not rolled back is continued by the same command', async () => {
  await stage.bootstrap();
  const deploy = () => stage.cdk(['deploy', STACK, '--require-approval', 'never', '--no-rollback'], KEPT);
  const repair = await breakNestedStack(stage);
  await expect(deploy()).rejects.toThrow(DrillFailed);
  const { tables = [] } = await holdings(stage.aws);
  expect(tables).not.toEqual([]);
  await repair();
  await deploy();
  expect((await holdings(stage.aws)).tables).toEqual(expect.arrayContaining(tables));
  await stage.deploy(KEPT);
  await proveUse(stage);
  await stage.destroy(KEPT);
  await clear(stage);
});

const BUCKET = 'cdk-hnb659fds-assets-000000000000-us-east-1';

const resourceSchema = v.object({ Type: v.string(), Properties: v.optional(v.unknown()) });
const templateSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ Resources: v.record(v.string(), resourceSchema) }),
);
const programSchema = v.object({ Code: v.object({ S3Key: v.string() }) });

/** The properties of the first resource of this type that has this text in them. */
async function propertiesOf(
  stage: DrilledStage,
  settings: Settings,
  type: string,
  contained: string,
): Promise<unknown> {
  await stage.cdk(['synth', STACK, '--quiet'], settings);
  const text = await readFile(join(stage.state.cdkOut, `${STACK}.template.json`), 'utf8');
  return Object.values(v.parse(templateSchema, text).Resources).find(
    ({ Type, Properties }) => Type === type && JSON.stringify(Properties).includes(contained),
  )?.Properties;
}

/** The object that holds the code of a function. */
async function codeOf(stage: DrilledStage, program: string, settings: Settings): Promise<string> {
  const named = `"POWERTOOLS_SERVICE_NAME":"${program}"`;
  return v.parse(programSchema, await propertiesOf(stage, settings, 'AWS::Lambda::Function', named)).Code
    .S3Key;
}

/** The name of the stage's first function at CloudFront. */
async function edgeFunctionOf(stage: DrilledStage, settings: Settings): Promise<string> {
  const properties = await propertiesOf(stage, settings, 'AWS::CloudFront::Function', '');
  return v.parse(v.object({ Name: v.string() }), properties).Name;
}

/** CDK uploads no object that is there already. @returns what removes the broken one */
async function brokenAsset(
  { aws }: DrilledStage,
  Key: string,
  Body: Uint8Array,
): Promise<() => Promise<void>> {
  const client = new S3Client({ ...aws, forcePathStyle: true });
  await client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body }));
  return async () => void (await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key })));
}

/** The code of a function that tells CloudFormation of a failure. It can be deleted all the same. */
function failingProgram(): Uint8Array {
  const program = `export const handler = ({ RequestType, ResponseURL, StackId, RequestId, LogicalResourceId }) =>
    fetch(ResponseURL, {
      method: 'PUT',
      body: Buffer.from(JSON.stringify({
        StackId, RequestId, LogicalResourceId,
        PhysicalResourceId: 'none', Status: RequestType === 'Delete' ? 'SUCCESS' : 'FAILED', Reason: 'The log of the function says why',
      })),
    });`;
  return zipSync({ 'index.mjs': Buffer.from(program) });
}

/** An account may have been bootstrapped by a CDK that is no longer in use. */
async function bootstrapAsLongAgo(stage: DrilledStage): Promise<undefined> {
  const today = await stage.run(CDK, ['bootstrap', '--show-template'], stage.state.root);
  const template = join(stage.state.root, 'bootstrap.yaml');
  await writeFile(template, today.replaceAll(/Value: "\d+"/g, 'Value: "5"'));
  await stage.bootstrap('--force', '--template', template);
}

/** In place of the template of the first nested stack, which has the log groups, one for which CloudFormation waits in vain. */
async function breakNestedStack(stage: DrilledStage): Promise<() => Promise<void>> {
  const properties = await propertiesOf(stage, KEPT, 'AWS::CloudFormation::Stack', '');
  const [key] = /[0-9a-f]{64}\.json/.exec(JSON.stringify(properties)) ?? [];
  const Resources = {
    Handle: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
    Nobody: {
      Type: 'AWS::CloudFormation::WaitCondition',
      Properties: { Handle: { Ref: 'Handle' }, Timeout: '1' },
    },
  };
  return brokenAsset(stage, v.parse(v.string(), key), Buffer.from(JSON.stringify({ Resources })));
}

/** A function of CloudFront has a fixed name, which something else may have. @returns what deletes that */
async function takeNameAtCloudFront(stage: DrilledStage): Promise<() => Promise<void>> {
  const client = new CloudFrontClient(stage.aws);
  const Name = await edgeFunctionOf(stage, WITH_EDGE);
  const { ETag: IfMatch } = await client.send(
    new CreateFunctionCommand({
      Name,
      FunctionConfig: { Comment: 'left over', Runtime: 'cloudfront-js-2.0' },
      FunctionCode: Buffer.from('function handler(event) { return event.request; }'),
    }),
  );
  return async () => void (await client.send(new DeleteFunctionCommand({ Name, IfMatch })));
}

/** Does what doctor says, until it finds nothing more to do. @returns what it has said */
async function clear(stage: DrilledStage): Promise<string> {
  const said: string[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const found = await stage.genway('doctor').catch((error: unknown) => String(error));
    said.push(found);
    const commands = commandsIn(found);
    if (commands.length === 0) return said.join('\n');
    for (const command of commands) await shell(stage, command);
  }
  throw new DrillFailed(`Doctor has still something to do:\n${said.at(-1)}`);
}

/** The lines that a reader can paste, and a command within a sentence. */
function commandsIn(found: string): string[] {
  return found
    .split('\n')
    .flatMap(
      (line) => /^\s+((?:aws|for) .+)$/.exec(line)?.[1] ?? /npx cdk bootstrap \S+/.exec(line)?.[0] ?? [],
    );
}

async function shell({ aws }: DrilledStage, command: string): Promise<void> {
  const env = { ...awsEnvironment(aws), CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const options = { cwd: command.startsWith('npx') ? tmpdir() : CHECKOUT, env };
  const { code, output } = await runCommand('bash', ['-c', withOurCdk(command)], options);
  if (code !== 0) throw new DrillFailed(`${command} ended with ${code}:\n${output}`);
}

/** Outside a checkout, where it synthesizes nothing, `npx` would look for CDK elsewhere. */
function withOurCdk(command: string): string {
  return command.replace(
    /^npx cdk/,
    `"${process.execPath}" "${join(CHECKOUT, 'node_modules/aws-cdk/bin/cdk')}"`,
  );
}

async function proveUse(stage: DrilledStage): Promise<void> {
  const manager = new DemoApi(stage.baseUrl, await stage.managementKey(CHECKOUT));
  // Every stage begins with one.
  expect((await manager.get('/workspaces', listSchema)).data).toHaveLength(1);
}
