import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { visibleLines } from '../local/terminal/text.ts';
import manifest from '../package.json' with { type: 'json' };
import type { Cli } from './cli/cli.ts';
import { approvalsCommand } from './client/approvals.ts';
import { budgetCommand, keysCommand } from './client/keys-and-budgets.ts';
import { jobsCommand, uploadCommand, videoCommand } from './client/videos.ts';
import { listenCommand, triggerCommand } from './webhooks/commands.ts';

const EXIT_CODES = `
Exit codes: 0 success, 1 refused or failed, 2 wrong command line, 3 API or provider unavailable (try again),
4 job without a video, 5 trial of a provider found differences, 6 not confirmed, 130 stopped before the end. See docs/cli.md in the Genway repository.`;

const IN_A_CHECKOUT = `
In a checkout of Genway, npm run genway -- COMMAND has more commands, such as up, demo, init, doctor, deploy, verify and admin.`;

/** `genway`, still without commands. */
export const genwayCommand = (description: string) =>
  new Command('genway').description(description).version(manifest.version).addHelpText('after', EXIT_CODES);

/** The commands that need only an address and a key. */
export const clientCommands = (cli: Cli): readonly CommandUnknownOpts[] => [
  videoCommand(cli),
  uploadCommand(cli),
  jobsCommand(cli),
  listenCommand(cli),
  triggerCommand(cli),
  keysCommand(cli),
  approvalsCommand(cli),
  budgetCommand(cli),
];

/** `genway` for people who call a deployment and have no checkout. */
export function clientProgram(cli: Cli): CommandUnknownOpts {
  const genway = genwayCommand(
    'Calls a deployment of Genway. Set GENWAY_URL and GENWAY_API_KEY, or give each command --url and --key.',
  );
  for (const command of clientCommands(cli)) genway.addCommand(command);
  genway.addHelpText('after', IN_A_CHECKOUT);
  configure(genway, cli);
  return genway;
}

/** Lets the caller end the process instead of commander, and escapes control characters in what is shown. */
export function configure(command: CommandUnknownOpts, cli: Cli): void {
  command
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ subcommandDescription: firstSentence, commandDescription: flowing })
    .configureOutput({
      writeOut: (text) => cli.stdout.write(text),
      writeErr: (text) => cli.stderr.write(text),
      outputError: (text, write) => write(visibleLines(text)),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const each of command.commands) configure(each, cli);
}

/** The lines of a description end where they end in the source. The help has those of the terminal. */
const flowing = (command: CommandUnknownOpts): string => command.description().replaceAll('\n', ' ');

/** Lists show what a command does; its own help says the rest. */
const firstSentence = (command: CommandUnknownOpts): string =>
  /^.*?\.(?=\s|$)/.exec(flowing(command))?.[0] ?? flowing(command);
