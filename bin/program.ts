import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import * as v from 'valibot';
import type { AskedStage } from '../lib/stage/config.ts';
import type { UpOptions } from '../local/start.ts';
import { visible } from '../local/terminal/text.ts';
import { type Admin, type Deployment, STACK_OPTION, stackNamed } from './admin/admin.ts';
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
import { initCommand } from './deploy/init.ts';
import { doctorCommand } from './doctor/command.ts';
import type { Finding } from './doctor/finding.ts';
import { dashboardCommand, demoCommand, resetCommand, upCommand } from './local-commands.ts';
import { verifyCommand } from './verify/command.ts';

/** Modules that load slowly, and are loaded only when a command needs them. */
export interface Stages {
  up(options: UpOptions): Promise<void>;
  reset(stateDir: string): Promise<void>;
  /** Runs until it is interrupted. */
  dashboard(options: { port: number; stateDir: string; tell: (url: string) => void }): Promise<void>;
  demo(target: Target, folder: string): Promise<void>;
  changes(stack: string, changeSet: string): Promise<PlannedChange[]>;
  /** What a deleted stack has left behind. */
  retained(stack: string): Promise<Retained>;
  /** Runs the demo without output. @returns the lines of its report */
  play(target: Target): Promise<readonly string[]>;
  enter: Admin['enter'];
  open(stackName: string): Promise<Deployment>;
  examine(asked: AskedStage, docker: string | undefined, now: Date): Promise<Finding[]>;
}

const stackSchema = v.object({ stack: v.optional(v.string()) });

/** Every command of `genway`, in the order of the help. */
export function program(cli: Cli, stages: Stages): CommandUnknownOpts {
  const genway = genwayCommand('A gateway for generative models in your own AWS account.');
  const admin = new Command('admin');
  const stackOf = (stage: string) => stackNamed(stage, v.parse(stackSchema, admin.opts()).stack);
  const ports: Admin = {
    open: (stage) => stages.open(stackOf(stage)),
    stackOf,
    print: (line) => cli.stdout.write(`${visible(line)}\n`),
    tell: (line) => cli.stderr.write(`${visible(line)}\n`),
    enter: stages.enter,
    pause: (milliseconds) => cli.pause(milliseconds),
    now: cli.now,
    random: cli.random,
  };
  const commands = [
    upCommand(cli, stages),
    demoCommand(cli, stages),
    dashboardCommand(cli, stages),
    ...clientCommands(cli),
    initCommand(cli),
    doctorCommand(cli, stages),
    changesCommand(cli, stages),
    adoptCommand(cli, stages),
    verifyCommand(cli, stages),
    adminCommands(admin, ports),
    resetCommand(stages),
  ];
  for (const command of commands) genway.addCommand(command);
  configure(genway, cli);
  return genway;
}

/** Commands that manage a deployment with AWS credentials, in the order of the help. */
const adminCommands = (command: Command, admin: Admin) =>
  command
    .description('Manages a deployment. It needs your AWS credentials and region, and no Genway key.')
    .hook('preAction', async (_, command) => {
      const state: unknown = command.getOptionValue('state');
      if (typeof state !== 'string') return;
      await admin.enter(state);
      command.setOptionValue('stage', 'local');
    })
    .option(...STACK_OPTION)
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
