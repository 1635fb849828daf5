import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { UpOptions } from '../local/start.ts';
import type { Target } from './cli/api-command.ts';
import type { Cli } from './cli/cli.ts';
import { configure, genwayCommand } from './client-program.ts';
import { type DeployerStages, deployerCommands } from './deployer-program.ts';
import { dashboardCommand, demoCommand, resetCommand, upCommand } from './local-commands.ts';

/** With those of a stage on this machine. */
export interface Stages extends DeployerStages {
  up(options: UpOptions): Promise<void>;
  reset(stateDir: string): Promise<void>;
  /** Runs until it is interrupted. */
  dashboard(options: { port: number; stateDir: string; tell: (url: string) => void }): Promise<void>;
  demo(target: Target, folder: string): Promise<void>;
}

/** Every command of `genway`, in the order of the help. */
export function program(cli: Cli, stages: Stages): CommandUnknownOpts {
  const genway = genwayCommand('Runs and deploys Genway, a self-hosted gateway for generative models.');
  const commands = [
    upCommand(cli, stages),
    demoCommand(cli, stages),
    dashboardCommand(cli, stages),
    ...deployerCommands(cli, stages),
    resetCommand(stages),
  ];
  for (const command of commands) genway.addCommand(command);
  configure(genway, cli);
  return genway;
}
