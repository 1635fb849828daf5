import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { visible, visibleLines } from '../../local/terminal/visible.ts';
import type { Admin } from '../admin/command.ts';
import { adminCommands } from '../admin/commands.ts';
import type { Retained } from '../adopt/read-retained.ts';
import type { PlannedChange } from '../changes/planned-change.ts';
import type { Finding } from '../doctor/finding.ts';
import { adoptCommand } from './adopt.ts';
import { changesCommand } from './changes.ts';
import type { Cli } from './cli.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { jobsCommand, uploadCommand } from './files-and-jobs.ts';
import { budgetCommand, keysCommand } from './keys-and-budgets.ts';
import { dashboardCommand, resetCommand, upCommand } from './stage-commands.ts';
import type { Target } from './target.ts';
import { verifyCommand } from './verify.ts';
import { videoCommand } from './video.ts';
import { listenCommand, triggerCommand } from './webhooks.ts';

/** What takes long to load, and is only loaded where it is asked for. */
export interface Stages {
  up(options: { port: number; stateDir: string; watch: boolean; json: boolean }): Promise<void>;
  reset(stateDir: string): Promise<void>;
  /** Until it is interrupted. */
  dashboard(options: { port: number; stateDir: string; tell: (url: string) => void }): Promise<void>;
  demo(target: Target, folder: string): Promise<void>;
  changes(stack: string, changeSet: string): Promise<PlannedChange[]>;
  /** What a deleted stack has left behind. */
  retained(stack: string): Promise<Retained>;
  /** The demo, without a word: gives what it would have told. */
  play(target: Target): Promise<readonly string[]>;
  open: Admin['open'];
  examine(stage: string, docker: string | undefined, now: Date): Promise<Finding[]>;
}

const EXIT_CODES = `
Exit codes: 0 done, 1 refused or failed (the message says why), 2 the command line is wrong, 3 the API cannot be
reached or is busy (try again), 4 the job ended without a video, 130 ended by Ctrl-C. More: docs/cli.md.`;

/** Every command of `genway`, in the order in which the help lists them. */
export function program(cli: Cli, stages: Stages): Command {
  const genway = new Command('genway')
    .description('A gateway for generative models in your own AWS account.')
    .addHelpText('after', EXIT_CODES);
  const admin: Admin = {
    open: stages.open,
    print: (line) => cli.stdout.write(`${visible(line)}\n`),
    now: cli.now,
    random: cli.random,
  };
  genway
    .addCommand(upCommand(stages))
    .addCommand(demoCommand(cli, stages))
    .addCommand(dashboardCommand(cli, stages))
    .addCommand(videoCommand(cli))
    .addCommand(uploadCommand(cli))
    .addCommand(jobsCommand(cli))
    .addCommand(listenCommand(cli))
    .addCommand(triggerCommand(cli))
    .addCommand(keysCommand(cli))
    .addCommand(budgetCommand(cli))
    .addCommand(doctorCommand(cli, stages))
    .addCommand(changesCommand(cli, stages))
    .addCommand(adoptCommand(cli, stages))
    .addCommand(verifyCommand(cli, stages))
    .addCommand(adminCommands(admin))
    .addCommand(resetCommand(stages));
  configure(genway, cli);
  return genway;
}

/** Nothing ends the process but its end, and nothing that was typed is obeyed by the terminal that shows it. */
function configure(command: CommandUnknownOpts, cli: Cli): void {
  command
    .exitOverride()
    .showHelpAfterError()
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      writeErr: (text) => cli.stderr.write(text),
      outputError: (text, write) => write(visibleLines(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const each of command.commands) configure(each, cli);
}
