import { join } from 'node:path';
import { type AwsAccess, awsEnvironment } from '../emulator/aws-access.ts';
import { LocalRunError } from '../failure.ts';
import { CHECKOUT, type StateFolder } from '../state-folder.ts';
import { runCommand } from '../system/run-command.ts';
import { readOutputs, type StackOutputs } from './outputs.ts';

const CDK = join(CHECKOUT, 'node_modules', 'aws-cdk', 'bin', 'cdk');
export const STAGE = 'local';
export const STACK = `Genway-${STAGE}`;
/** The emulators' account. */
const ACCOUNT = '000000000000';

export interface DeployOptions {
  readonly state: StateFolder;
  /** Settings that differ from the stage's own. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly detail: (text: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deploys the CDK app, with the CLI and the bootstrap stack that a real account gets. Both steps change nothing
 * where nothing has changed, so every start runs them and none has to guess what the emulator holds.
 */
export async function deploy(access: AwsAccess, options: DeployOptions): Promise<StackOutputs> {
  const { cdkOut, outputsFile } = options.state;
  const context = ['--context', `stage=${STAGE}`];
  if (options.settings !== undefined)
    context.push('--context', `settings=${JSON.stringify(options.settings)}`);
  const environment = awsEnvironment(access);
  options.detail('building the functions');
  // Neither needs the other, and each takes seconds.
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
    // Where there is a cdk.json the bootstrap would synthesize the app once more.
    cwd: args[0] === 'bootstrap' ? state.root : CHECKOUT,
    // The rules of AWS' own validation are for what is deployed there, and take as long as all else of a synthesis.
    env: { ...environment, CDK_DISABLE_CLI_TELEMETRY: 'true', CDK_VALIDATION: 'false' },
    onLine: (line) => {
      const event = resourceEvent(line);
      if (event !== undefined) detail(event);
    },
    signal,
  });
  signal?.throwIfAborted();
  if (code !== 0) throw new LocalRunError(`cdk ${args[0]} failed; what it printed is above.`, { output });
}

/** How far a line of the CLI says CloudFormation is, such as `3/15 AWS::S3::Bucket`. */
export function resourceEvent(line: string): string | undefined {
  const columns = line.split('|').map((column) => column.trim());
  const progress = columns.find((column) => /^\d+\/\d+$/.test(column));
  const type = columns.find((column) => column.startsWith('AWS::'));
  return progress === undefined || type === undefined ? undefined : `${progress} ${type}`;
}
