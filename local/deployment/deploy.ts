import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type AwsAccess, awsEnvironment } from '../emulator/aws-access.ts';
import { LocalRunError } from '../system/failure.ts';
import { runCommand } from '../system/run-command.ts';
import { CHECKOUT, type StateFolder } from '../system/state-folder.ts';

const CDK = join(CHECKOUT, 'node_modules', 'aws-cdk', 'bin', 'cdk');
export const STAGE = 'local';
export const STACK = `Genway-${STAGE}`;
/** The account number of emulators. */
const ACCOUNT = '000000000000';

interface DeployOptions {
  readonly state: StateFolder;
  /** Settings in which this run differs from the stage's file. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly detail: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deploys the CDK app, with the CLI and the bootstrap stack that a real account gets. Both steps change nothing
 * if they are up to date. So every start runs them, and does not have to guess the emulator's state.
 */
export async function deploy(access: AwsAccess, options: DeployOptions): Promise<StackOutputs> {
  const { cdkOut, outputsFile } = options.state;
  const context = ['--context', `stage=${STAGE}`];
  if (options.settings !== undefined)
    context.push('--context', `settings=${JSON.stringify(options.settings)}`);
  const environment = awsEnvironment(access);
  options.detail('building the functions');
  // They do not depend on each other, and each takes seconds.
  await Promise.all([
    cdk(['synth', '--quiet', ...context, '--output', cdkOut], environment, options),
    cdk(['bootstrap', `aws://${ACCOUNT}/${access.region}`], environment, options),
  ]);
  const confirmed = ['--require-approval', 'never', '--outputs-file', outputsFile];
  await cdk(['deploy', STACK, '--app', cdkOut, ...confirmed], environment, options);
  return readOutputs(outputsFile, STACK);
}

async function cdk(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  { state, detail, signal }: DeployOptions,
): Promise<void> {
  const quiet = ['--ci', '--no-color', '--no-notices'];
  const { code, output } = await runCommand(process.execPath, [CDK, ...args, ...quiet], {
    // In a folder with a cdk.json, `bootstrap` would synthesize the app a second time.
    cwd: args[0] === 'bootstrap' ? state.root : CHECKOUT,
    // AWS' own validation rules matter only for AWS, and take as long as the rest of the synthesis.
    env: { ...environment, CDK_DISABLE_CLI_TELEMETRY: 'true', CDK_VALIDATION: 'false' },
    onLine: (line) => {
      const event = resourceEvent(line);
      if (event !== undefined) detail(event);
    },
    signal,
  });
  signal?.throwIfAborted();
  if (code !== 0) throw new LocalRunError(`cdk ${args[0]} failed; see its output above.`, { output });
}

/** CloudFormation's progress in a line of the CLI, such as `3/15 AWS::S3::Bucket`; undefined in other lines. */
export function resourceEvent(line: string): string | undefined {
  const columns = line.split('|').map((column) => column.trim());
  const progress = columns.find((column) => /^\d+\/\d+$/.test(column));
  const type = columns.find((column) => column.startsWith('AWS::'));
  return progress === undefined || type === undefined ? undefined : `${progress} ${type}`;
}

/** The outputs of the deployed stack: all of them, and by name those that a local run needs. */
const stackOutputsSchema = v.objectWithRest(
  {
    ApiId: v.string(),
    KeysTable: v.string(),
    ListsTable: v.string(),
    AccountsTable: v.string(),
    WorkspacesTable: v.string(),
    GuardrailsTable: v.string(),
    /** By which the edge checks links to downloads, as PEM. */
    DownloadsPublicKey: v.string(),
    FilesBucket: v.string(),
    ResultsBucket: v.string(),
    /** Environment variables of the upload server. */
    UploadEnvironment: v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())),
  },
  v.string(),
);
export type StackOutputs = v.InferOutput<typeof stackOutputsSchema>;

/** Reads the file that `cdk deploy --outputs-file` wrote. */
export async function readOutputs(path: string, stackName: string): Promise<StackOutputs> {
  const file = v.object({ [stackName]: stackOutputsSchema });
  const outputs = v.parse(file, JSON.parse(await readFile(path, 'utf8')))[stackName];
  if (outputs === undefined) throw new Error(`${path} has no outputs of ${stackName}`);
  return outputs;
}
