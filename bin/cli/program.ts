import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { UpOptions } from '../../local/start.ts';
import { visible } from '../../local/terminal/text.ts';
import type { Admin } from '../admin/command.ts';
import { adminCommands } from '../admin/commands.ts';
import type { Retained } from '../adopt/read-retained.ts';
import type { PlannedChange } from '../changes/planned-change.ts';
import type { Finding } from '../doctor/finding.ts';
import { adoptCommand } from './adopt.ts';
import { changesCommand } from './changes.ts';
import type { Cli } from './cli.ts';
import { clientCommands, configure, genwayCommand } from './client-program.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { dashboardCommand, resetCommand, upCommand } from './stage-commands.ts';
import type { Target } from './target.ts';
import { verifyCommand } from './verify.ts';

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
  open: Admin['open'];
  examine(stage: string, docker: string | undefined, now: Date): Promise<Finding[]>;
}

/** Every command of `genway`, in the order of the help. */
export function program(cli: Cli, stages: Stages): CommandUnknownOpts {
  const genway = genwayCommand('A gateway for generative models in your own AWS account.');
  const admin: Admin = {
    open: stages.open,
    print: (line) => cli.stdout.write(`${visible(line)}\n`),
    now: cli.now,
    random: cli.random,
  };
  const commands = [
    upCommand(stages),
    demoCommand(cli, stages),
    dashboardCommand(cli, stages),
    ...clientCommands(cli),
    doctorCommand(cli, stages),
    changesCommand(cli, stages),
    adoptCommand(cli, stages),
    verifyCommand(cli, stages),
    adminCommands(admin),
    resetCommand(stages),
  ];
  for (const command of commands) genway.addCommand(command);
  configure(genway, cli);
  return genway;
}
