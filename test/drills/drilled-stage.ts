import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CloudFormationClient, UpdateTerminationProtectionCommand } from '@aws-sdk/client-cloudformation';
import type { FunctionConfiguration } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { edgeProgram } from '../../lib/edge/program.ts';
import { STACK, STAGE } from '../../local/deployment/deploy.ts';
import { type Edge, edgeSecret, openEdge } from '../../local/edge/edge.ts';
import { apiRouter } from '../../local/edge/router.ts';
import { type AwsAccess, awsEnvironment } from '../../local/emulator/aws-access.ts';
import { type Emulator, startEmulator } from '../../local/emulator/emulator.ts';
import { installEmulator } from '../../local/emulator/install.ts';
import type { FunctionLogLine } from '../../local/logs/log-lines.ts';
import { runCommand } from '../../local/system/run-command.ts';
import { CHECKOUT, type StateFolder, stateFolder } from '../../local/system/state-folder.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';

const ACCOUNT = '000000000000';
export const CDK = join(CHECKOUT, 'node_modules/aws-cdk/bin/cdk');
/** Nothing is sent to this address, because large uploads are off here. */
const NOWHERE = 'http://127.0.0.1:9';

/** Any version may have written the outputs, so the schema asks for little. */
const outputsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ [STACK]: v.objectWithRest({ ApiId: v.string() }, v.string()) }),
);

/** The command has had other names. */
const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ bin: v.object({ genway: v.string() }) }));

export type Settings = Readonly<Record<string, unknown>>;

/** A command failed, or its result is not as expected. */
export class DrillFailed extends Error {
  override readonly name = 'DrillFailed';
}

/** A stage in its own emulator. The drills use it through the same commands that a deployer uses on AWS. */
export class DrilledStage implements AsyncDisposable {
  readonly aws: AwsAccess;
  readonly state: StateFolder;
  readonly logged: FunctionLogLine[] = [];
  readonly #edge: Edge;
  readonly #emulator: Emulator;
  /** Of the secret by which this stage's edge proves itself. */
  readonly secretSha256: string;
  #outputs: Readonly<Record<string, string>> | undefined;

  private constructor(state: StateFolder, emulator: Emulator, edge: Edge, secretSha256: string) {
    this.aws = emulator.access;
    this.state = state;
    this.#emulator = emulator;
    this.#edge = edge;
    this.secretSha256 = secretSha256;
    emulator.readLogs((line) => this.logged.push(line));
  }

  static async start(): Promise<DrilledStage> {
    const root = mkdtempSync(join(tmpdir(), 'genway-drill-'));
    const state = stateFolder(root);
    const { text, sha256 } = await edgeSecret(state);
    const edge = await openEdge({
      port: 0,
      secret: text,
      warn: (warning) => process.stderr.write(`edge: ${warning}\n`),
    });
    const emulator = await startEmulator(await installEmulator(() => undefined), state);
    return new DrilledStage(state, emulator, edge, sha256);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#edge.close();
    await this.#emulator.stop();
    rmSync(this.state.root, { recursive: true });
  }

  /** Prepares the account for CDK, as nobody has before. */
  async bootstrap(...options: readonly string[]): Promise<void> {
    // In a folder with a cdk.json, it would synthesize the app too.
    await this.run(CDK, ['bootstrap', `aws://${ACCOUNT}/${this.aws.region}`, ...options], this.state.root);
  }

  get baseUrl(): string {
    return `${this.#edge.url}/api/v1`;
  }

  /** @throws DrillFailed if the deployed stack has no such output */
  output(name: string): string {
    const value = this.#outputs?.[name];
    if (value === undefined) throw new DrillFailed(`The stack has no output ${name}`);
    return value;
  }

  /** @param checkout the version to deploy */
  async deploy(settings: Settings, checkout = CHECKOUT): Promise<void> {
    const confirmed = ['--require-approval', 'never', '--outputs-file', this.state.outputsFile];
    await this.cdk(['deploy', STACK, ...confirmed], settings, checkout);
    this.#outputs = v.parse(outputsSchema, await readFile(this.state.outputsFile, 'utf8'))[STACK];
    const origins = { emulator: this.aws.endpoint, apiId: this.output('ApiId'), uploads: NOWHERE };
    this.#edge.serve(apiRouter(edgeProgram(), origins));
  }

  /** Runs a command of the CDK's CLI in a checkout. */
  cdk(args: readonly string[], settings: Settings, checkout = CHECKOUT): Promise<string> {
    const all = { edgeSecretSha256: [this.secretSha256], ...settings };
    const context = ['--context', `stage=${STAGE}`, '--context', `settings=${JSON.stringify(all)}`];
    return this.run(
      CDK,
      [...args, ...context, '--output', this.state.cdkOut, '--ci', '--no-notices'],
      checkout,
    );
  }

  /** Deletes a stage that is protected, as docs/deploy.md#teardown says it. */
  async destroy(settings: Settings): Promise<void> {
    await new CloudFormationClient(this.aws).send(
      new UpdateTerminationProtectionCommand({ StackName: STACK, EnableTerminationProtection: false }),
    );
    await this.cdk(['destroy', STACK, '--force'], settings);
  }

  /** Runs one of our commands, like `npm run genway -- …`. */
  genway(...args: string[]): Promise<string> {
    return this.run(join(CHECKOUT, 'bin/genway.ts'), [...args, '--stage', STAGE], CHECKOUT);
  }

  /** @param checkout the version that is deployed */
  async managementKey(checkout: string): Promise<string> {
    const args = ['admin', 'create-management-key', '--stage', STAGE];
    const { bin } = v.parse(manifestSchema, await readFile(join(checkout, 'package.json'), 'utf8'));
    const told = await this.run(join(checkout, bin.genway), args, checkout);
    const [key] = /mk-gw-v1-\S+/.exec(told) ?? [];
    if (key === undefined) throw new DrillFailed(`No key was created: ${told}`);
    return key;
  }

  async function(program: string): Promise<FunctionConfiguration> {
    const found = (await deployedFunctions(this.aws)).get(program);
    if (found === undefined) throw new DrillFailed(`The stage has no ${program}`);
    return found;
  }

  async run(program: string, args: readonly string[], cwd: string): Promise<string> {
    // AWS' own validation rules take as long as the rest of the synthesis.
    const quick = { CDK_DISABLE_CLI_TELEMETRY: 'true', CDK_VALIDATION: 'false' };
    const env = { ...awsEnvironment(this.aws), ...quick };
    const { code, output } = await runCommand(process.execPath, [program, ...args], { cwd, env });
    if (code !== 0) throw new DrillFailed(`${output}\n\n${program} ${args.join(' ')} ended with ${code}`);
    return output;
  }
}
