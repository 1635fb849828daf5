/**
 * Lets a stage's first deployment fail in four places, clears each with the commands that doctor prints, and deploys:
 * `npm run drills:first`. `-- --only edge` tries the places with that word. It needs the AWS CLI.
 */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFrontClient, CreateFunctionCommand, DeleteFunctionCommand } from '@aws-sdk/client-cloudfront';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { DemoApi } from '../../local/demo/demo-api.ts';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT } from '../../local/system/state-folder.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import { brokenAsset, codeOf, edgeFunctionOf, failingProgram } from './broken-assets.ts';
import { DrilledStage, DrillFailed, type Settings } from './drilled-stage.ts';
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
  breaks(stage: DrilledStage): Promise<(() => Promise<void>) | undefined>;
}

const nothing = async () => undefined;

const PLACES: readonly Place[] = [
  { name: 'the bootstrap', said: /not bootstrapped yet/, breaks: nothing },
  {
    name: 'a custom resource',
    said: /failed at DeploymentValues\w* \(Custom::GenwayValues\)/,
    breaks: async (stage) => brokenAsset(stage, await codeOf(stage, 'derive-values', KEPT), failingProgram()),
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

const { only } = new Command('npm run drills:first --')
  .description('Lets first deployments fail on the emulator, clears them as doctor says, and deploys.')
  .option('--only <word>', 'the places whose names contain it', '')
  .parse()
  .opts();
const progress = textProgress(process.stdout, () => performance.now());
await using stage = await progress.step('Starting an emulator', () => DrilledStage.start());
// Only a new account has no bootstrap.
if (!PLACES[0]?.name.includes(only)) await stage.bootstrap();
for (const place of PLACES.filter(({ name }) => name.includes(only)))
  await progress.step(`Failing at ${place.name}`, () => survive(stage, place));
process.stdout.write('Each failed deployment was cleared, and then succeeded\n');

async function survive(stage: DrilledStage, place: Place): Promise<void> {
  const repair = await place.breaks(stage);
  await assert.rejects(stage.deploy(place.settings ?? KEPT), DrillFailed);
  assert.match(await clear(stage), place.said);
  assert.deepEqual(await holdings(stage.aws), {});
  await repair?.();
  await stage.deploy(KEPT);
  await proveUse(stage);
  await remove(stage);
  assert.deepEqual(await holdings(stage.aws), {});
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
  assert.equal((await manager.get('/workspaces', listSchema)).data.length, 1);
}

/** As docs/deploy.md#teardown says, and then with what doctor says of the kept resources. */
async function remove(stage: DrilledStage): Promise<void> {
  await stage.destroy(KEPT);
  await clear(stage);
}
