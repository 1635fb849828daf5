import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { type AskedStage, readStage, stageFile, titleOf } from '../lib/stage/config.ts';
import { visible } from '../local/terminal/text.ts';
import {
  type Admin,
  CONFIG_OPTION,
  type Deployment,
  STACK_OPTION,
  stackNamed,
  stageOptions,
} from './admin/admin.ts';
import { incidentCommand } from './admin/incident.ts';
import {
  createCanaryKeyCommand,
  createManagementKeyCommand,
  disableKeyCommand,
  grantCreditsCommand,
  listKeysCommand,
  rotateKeyCommand,
} from './admin/keys-and-credits.ts';
import { endpointsCommand } from './admin/offers.ts';
import { restoreRowsCommand } from './admin/restore-rows.ts';
import { tryProviderCommand } from './admin/try-provider.ts';
import { adoptCommand } from './adopt/command.ts';
import type { Retained } from './adopt/retained.ts';
import { changesCommand, type PlannedChange } from './changes/command.ts';
import { examplesText, type Target } from './cli/api-command.ts';
import type { Cli } from './cli/cli.ts';
import { clientCommands, configure, genwayCommand } from './client-program.ts';
import { deployCommand, initCommand, publishCommand } from './deploy/command.ts';
import type { Deployer } from './deploy/deployer.ts';
import { upgradeCommand } from './deploy/upgrade.ts';
import { doctorCommand } from './doctor/command.ts';
import type { Finding } from './doctor/finding.ts';
import { verifyCommand } from './verify/command.ts';

/** Modules for stages in an AWS account. They load slowly, and are loaded only when a command needs them. */
export interface DeployerStages {
  /** The stage of a file of settings. */
  deployer(config: string, now: Date, interrupted: AbortSignal): Promise<Deployer>;
  changes(stack: string, changeSet: string): Promise<PlannedChange[]>;
  /** What a deleted stack has left behind. */
  retained(stack: string, region?: string): Promise<Retained>;
  /** Runs the demo without output. @returns the lines of its report */
  play(target: Target): Promise<readonly string[]>;
  enter: Admin['enter'];
  open(stackName: string): Promise<Deployment>;
  examine(asked: AskedStage, docker: string | undefined, now: Date): Promise<Finding[]>;
}

export const deployerStages: DeployerStages = {
  async deployer(...asked) {
    const deployer = await (await import('./deploy/deployer.ts')).openDeployer(...asked);
    // Its settings name the region, and what is asked afterwards must be asked there.
    process.env.AWS_REGION = deployer.region;
    return deployer;
  },
  changes: async (...asked) => (await import('./changes/read-changes.ts')).readChanges(...asked),
  async retained(stack, region) {
    if (region !== undefined) process.env.AWS_REGION = region;
    return (await import('./adopt/retained.ts')).readRetained(stack);
  },
  play: async (target) => (await import('../local/demo/demo.ts')).playQuietly(target),
  examine: async (...asked) => (await import('./doctor/examine.ts')).examine(...asked),
  async enter(stateDir) {
    const [{ awsEnvironment, accessToRun }, { stateFolder }] = await Promise.all([
      import('../local/emulator/aws-access.ts'),
      import('../local/system/state-folder.ts'),
    ]);
    process.env = awsEnvironment(await accessToRun(stateFolder(stateDir)));
  },
  open: async (stack) => (await import('./admin/deployment.ts')).openDeployment(stack),
};

const namedSchema = v.object({ stack: v.optional(v.string()), config: v.optional(v.string()) });

/** The commands that need AWS credentials and no checkout, and before them those that need a key only. */
export function deployerCommands(cli: Cli, stages: DeployerStages): readonly CommandUnknownOpts[] {
  const admin = new Command('admin');
  const named = () => v.parse(namedSchema, admin.opts());
  const settingsOf = (stage: string) => readStage(stageFile({ stage, config: named().config }));
  const stackOf = (stage: string) => {
    const { stack, config } = named();
    return stack ?? (config === undefined ? stackNamed(stage, stack) : titleOf(settingsOf(stage)));
  };
  const ports: Admin = {
    open: (stage) => stages.open(stackOf(stage)),
    stackOf,
    optionsOf: (asked) => stageOptions({ ...asked, ...named() }),
    modelsOf(stage) {
      const { stack, config } = named();
      return stack === undefined || config !== undefined ? settingsOf(stage).videos.models : [];
    },
    print: (line) => cli.stdout.write(`${visible(line)}\n`),
    tell: (line) => cli.stderr.write(`${visible(line)}\n`),
    enter: stages.enter,
    pause: (milliseconds) => cli.pause(milliseconds),
    now: cli.now,
    random: cli.random,
  };
  return [
    ...clientCommands(cli),
    initCommand(cli),
    doctorCommand(cli, stages),
    deployCommand(cli, stages),
    upgradeCommand(cli, stages),
    publishCommand(cli, stages),
    changesCommand(cli, stages),
    adoptCommand(cli, stages),
    verifyCommand(cli, stages),
    adminCommands(admin, ports),
  ];
}

/** `genway` for people who deploy a stage and have no checkout. */
export function deployerProgram(cli: Cli, stages: DeployerStages): CommandUnknownOpts {
  const genway = genwayCommand('Deploys Genway, a gateway for generative models, to your own AWS account.');
  for (const command of deployerCommands(cli, stages)) genway.addCommand(command);
  configure(genway, cli);
  return genway;
}

/** Commands that manage a deployment with AWS credentials, in the order of the help. */
const adminCommands = (command: Command, admin: Admin) =>
  command
    .description(
      'Manages a deployment. Requires AWS credentials and a region, or --state for a local stage. Needs no Genway key.',
    )
    .hook('preAction', async (_, command) => {
      const state: unknown = command.getOptionValue('state');
      if (typeof state !== 'string') return;
      await admin.enter(state);
      command.setOptionValue('stage', 'local');
    })
    .option(...STACK_OPTION)
    .option(...CONFIG_OPTION)
    .addCommand(createManagementKeyCommand(admin))
    .addCommand(listKeysCommand(admin))
    .addCommand(disableKeyCommand(admin))
    .addCommand(rotateKeyCommand(admin))
    .addCommand(grantCreditsCommand(admin))
    .addCommand(createCanaryKeyCommand(admin))
    .addCommand(endpointsCommand(admin))
    .addCommand(tryProviderCommand(admin))
    .addCommand(restoreRowsCommand(admin))
    .addCommand(incidentCommand(admin))
    .addHelpText(
      'after',
      examplesText(['admin list-keys --stage prod', 'admin incident workers --stage prod']),
    );
