import { type App, type Environment, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { titleOf } from './constructs/names.ts';
import { Genway, type GenwayProps } from './genway.ts';
import { readStage, type StageConfig, stageFile } from './stage/config.ts';
import { readPassingSettings, warnOfPassingSettings } from './stage/passing-settings.ts';
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
export interface AppStage {
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
