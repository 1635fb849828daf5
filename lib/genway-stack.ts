import { Annotations, type App, type Environment, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as v from 'valibot';
import { Genway, type GenwayProps } from './genway.ts';
import { readStage, type StageConfig, stageFile, titleOf } from './stage/config.ts';
import { placeOf } from './stage/place.ts';
import { WrongSettings } from './stage/read-settings.ts';
import { warnOfSilentAlarms } from './stage/silent-alarms.ts';

/** A stack with nothing but one deployment of Genway. */
export class GenwayStack extends Stack {
  constructor(scope: Construct, id: string, { name, settings, ...props }: GenwayProps & StackProps) {
    super(scope, id, props);
    // CDK leaves this id out of the names of resources, so they are as short as those of the stack's own.
    new Genway(this, 'Default', { name, ...(settings === undefined ? {} : { settings }) });
  }

  /** Otherwise CDK looks up zones during synthesis and writes them into the checkout. Our network names its own zones. */
  override get availabilityZones(): string[] {
    return [0, 1].map((index) => Fn.select(index, Fn.getAzs()));
  }
}

/** The stage that an app is to deploy, and where. */
interface AppStage {
  readonly config: StageConfig;
  /** How messages call the file of its settings. */
  readonly file: string;
  /** The settings that `-c settings` changes. */
  readonly passing: readonly string[];
  readonly env: Environment;
}

/** Reads which stage `-c stage` or `-c config` asks for. What is wrong is told without a stack trace, in which nobody could find it. */
export function stageOf(app: App): AppStage {
  const context = (name: string): unknown => app.node.tryGetContext(name);
  try {
    const passing = readPassingSettings(context('settings'));
    const config = context('config');
    const asked = { stage: String(context('stage') ?? 'dev'), ...(config ? { config: String(config) } : {}) };
    const { file, ...named } = stageFile(asked);
    const settings = readStage({ file, ...named }, passing);
    const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
    const env = placeOf(settings, { account: CDK_DEFAULT_ACCOUNT, region: CDK_DEFAULT_REGION }, file);
    return { config: settings, file, passing: Object.keys(passing), env };
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Adds the stack of a stage, and warns of what its deployer may not expect. */
export function addStage(app: App, { config, file, passing, env }: AppStage): void {
  const stack = new GenwayStack(app, titleOf(config), {
    name: config.name,
    settings: config,
    env,
    terminationProtection: config.data === 'retain',
    description: 'Genway, a gateway for generative models',
  });
  warnOfSilentAlarms(stack, config, file);
  warnOfPassingSettings(stack, file, passing);
}

const settingsSchema = v.optional(
  v.pipe(
    v.string('-c settings must be a JSON object'),
    v.parseJson(undefined, '-c settings must be a JSON object'),
    v.record(v.string(), v.unknown(), '-c settings must be a JSON object'),
  ),
  '{}',
);

/** Reads the settings that `-c settings` changes for one deployment. */
export function readPassingSettings(context: unknown): Record<string, unknown> {
  const read = v.safeParse(settingsSchema, context);
  if (!read.success) throw new WrongSettings(read.issues[0].message);
  return read.output;
}

/** The next deployment without them resets them, which nobody expects. */
export function warnOfPassingSettings(stack: Stack, file: string, names: readonly string[]): void {
  if (names.length === 0) return;
  Annotations.of(stack).addWarningV2(
    'genway:passing-settings',
    `${names.join(', ')}: set by -c settings, ONLY FOR THIS DEPLOYMENT. The next deployment without -c settings resets them. ` +
      `To keep them, write them into ${file}`,
  );
}
