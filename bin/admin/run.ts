import { visible, visibleLines } from '../../local/terminal/visible.ts';
import type { Admin, Command } from './command.ts';
import { UsageError } from './command-line.ts';
import { commands } from './commands.ts';

/** For scripts: 0 it is done, 1 it could not be done, 2 the command line is wrong. */
export type ExitCode = 0 | 1 | 2;

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs one subcommand. Nothing is done for a command line that is wrong. */
export async function runAdmin(
  [name, ...args]: readonly string[],
  admin: Omit<Admin, 'print'>,
  { out, err }: Output,
): Promise<ExitCode> {
  if (name === undefined || isHelp(name)) {
    (name === undefined ? err : out)(overview());
    return name === undefined ? 2 : 0;
  }
  const command = commands.get(name);
  if (command === undefined) {
    err(`Unknown command: ${visible(name)}\n\n${overview()}`);
    return 2;
  }
  if (args.some(isHelp)) {
    out(helpOf(command));
    return 0;
  }
  try {
    await command.run(args, { ...admin, print: (line) => out(visible(line)) });
    return 0;
  } catch (error) {
    const message = visibleLines(error instanceof Error ? error.message : String(error));
    const isUsage = error instanceof UsageError;
    err(isUsage ? `${message}\n\n${helpOf(command)}` : message);
    return isUsage ? 2 : 1;
  }
}

const STAGE_LINE = '--stage STAGE   the deployment: dev (default), prod …';

const isHelp = (argument: string) => argument === '--help' || argument === '-h';

function overview(): string {
  const usages = [...commands.values()].map(({ usage }) => `  npm run admin -- ${usage}`).join('\n');
  return `Manages a deployment of Genway. It needs your AWS credentials and region, and no Genway key.

${usages}

  ${STAGE_LINE}
  --help          this text, or after a command the help for that command

Exit codes: 0 done, 1 failed (the message says why), 2 the command line is wrong.`;
}

function helpOf({ usage, about, options }: Command): string {
  const lines = [...options, STAGE_LINE].map((line) => `  ${line}`).join('\n');
  return `npm run admin -- ${usage} [--stage STAGE]\n\n${about}\n\n${lines}`;
}
