import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { LocalRunError } from './failure.ts';
import { DEFAULT_STATE_FOLDER } from './state-folder.ts';

export const DEFAULT_PORT = 8787;

export interface StartArguments {
  readonly help: boolean;
  readonly json: boolean;
  /** Redeploys functions as their sources change. */
  readonly watch: boolean;
  /** 0 takes any free port. */
  readonly port: number;
  readonly stateDir: string;
}

export interface ResetArguments {
  readonly help: boolean;
  readonly stateDir: string;
}

export const START_HELP = `npm start -- [options]

Runs all of Genway on this machine: an AWS emulator, the real CDK app deployed to it, and the API on one port.
It needs no AWS account. Ctrl-C stops it; the next start continues with the same data.

Options
  --port N      the API's port on 127.0.0.1; 0 takes a free one (default: ${DEFAULT_PORT})
  --state DIR   the folder for this run's data; each folder is a separate run (default: .genway)
  --watch       redeploy a function within seconds of a change below functions/
  --json        print the functions' log lines as JSON, one document a line, and nothing else on stdout
  --help        show this

Set AWS_ENDPOINT_URL to use an emulator that already runs. More: docs/local.md.`;

export const RESET_HELP = `npm run reset -- [options]

Deletes the state of a stopped local run: its files, keys, workspaces and jobs. The installed emulator stays.

Options
  --state DIR   the folder that npm start used (default: .genway)
  --help        show this`;

export function parseStartArguments(argv: readonly string[]): StartArguments {
  const { values } = parse(argv, {
    help: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    watch: { type: 'boolean', default: false },
    port: { type: 'string', default: String(DEFAULT_PORT) },
    state: { type: 'string', default: DEFAULT_STATE_FOLDER },
  });
  return {
    help: values.help,
    json: values.json,
    watch: values.watch,
    port: parsePort(values.port),
    stateDir: parseFolder(values.state),
  };
}

export function parseResetArguments(argv: readonly string[]): ResetArguments {
  const { values } = parse(argv, {
    help: { type: 'boolean', default: false },
    state: { type: 'string', default: DEFAULT_STATE_FOLDER },
  });
  return { help: values.help, stateDir: parseFolder(values.state) };
}

type OptionSpecs = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

function parse<const Options extends OptionSpecs>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false, strict: true });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LocalRunError(`${reason.split('\n')[0]} (--help lists the options)`, { cause });
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535))
    throw new LocalRunError(`--port: ${text} is not a port; give a number from 0 to 65535`);
  return port;
}

function parseFolder(text: string): string {
  if (text === '') throw new LocalRunError('--state: give the name of a folder');
  return resolve(text);
}
