import { Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { anyJsonObject } from '../functions/http/validation.ts';
import { origin } from '../lib/stage/settings/fields.ts';
import type { UpOptions } from '../local/start.ts';
import { DEFAULT_STATE_FOLDER } from '../local/system/state-folder.ts';
import { visible } from '../local/terminal/text.ts';
import { examplesText, folder, type Target, targetCommand, targetOf } from './cli/api-command.ts';
import type { Cli } from './cli/cli.ts';
import { downloadsFolder } from './cli/downloads-folder.ts';
import { configure, genwayCommand } from './client-program.ts';
import { type DeployerStages, deployerCommands } from './deployer-program.ts';

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

const DEFAULT_PORT = 8787;
const DASHBOARD_PORT = 8788;

const upCommand = (cli: Cli, stages: Stages) =>
  new Command('up')
    .description(
      `Runs Genway on this machine, without an AWS account. It deploys the CDK app to an AWS emulator and serves the API on
one port. Press Ctrl-C to stop; the data is kept for the next start.`,
    )
    .option('--port <number>', 'port of the API on 127.0.0.1; 0 for any free port', port, DEFAULT_PORT)
    .option('--state <folder>', 'data folder; each folder is a separate stage', folder, DEFAULT_STATE_FOLDER)
    .option('--settings <json>', 'JSON settings that override config/stages/local.json', settings)
    .option(
      '--public-url <origin>',
      'public URL of a tunnel to the API’s port, for callbacks from providers',
      publicOrigin,
    )
    .option('--open', 'open the console in a browser when the stage is ready')
    .option('--watch', 'redeploy functions when files below functions/ change', false)
    .option(
      '--json',
      'print the logs of functions, downloads and the upload server as JSON lines on stdout, and everything else on stderr',
      false,
    )
    .addHelpText(
      'after',
      `${examplesText(['up', 'up --open', 'up --port 0 --state /tmp/second', 'up --public-url https://name.example', `up --settings '{"wireNames":"openrouter"}'`])}

Set AWS_ENDPOINT_URL to use a running emulator. See docs/local.md.`,
    )
    .action(({ state, open, publicUrl, settings, ...options }) =>
      stages.up({
        stateDir: state,
        ...options,
        settings: { ...settings, ...(publicUrl === undefined ? {} : { providerCallbacks: publicUrl }) },
        ...(open ? { openPage: cli.openFile } : {}),
      }),
    );

const resetCommand = (stages: Stages) =>
  new Command('reset')
    .description(
      `Deletes the data of a stopped local stage: files, keys, workspaces and jobs. Keeps the installed emulator, and
data in an emulator of your own (AWS_ENDPOINT_URL).`,
    )
    .option('--state <folder>', 'data folder of the stage', folder, DEFAULT_STATE_FOLDER)
    .addHelpText('after', examplesText(['reset', 'reset --state /tmp/second']))
    .action(({ state }) => stages.reset(state));

const dashboardCommand = (cli: Cli, stages: Stages) =>
  new Command('dashboard')
    .description(
      `Serves the dashboards of a running local stage as a web page. A stage on AWS has the same dashboards in CloudWatch. Press
Ctrl-C to stop.`,
    )
    .option('--port <number>', 'port of the page on 127.0.0.1; 0 for any free port', port, DASHBOARD_PORT)
    .option('--state <folder>', 'data folder of the stage', folder, DEFAULT_STATE_FOLDER)
    .addHelpText('after', examplesText(['dashboard', 'dashboard --port 0']))
    .action(({ port, state }) =>
      stages.dashboard({
        port,
        stateDir: state,
        tell: (url) => cli.stdout.write(`${visible(`The dashboards are at ${url}`)}\n`),
      }),
    );

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError(`${text} is not a port. Use a number from 0 to 65535.`);
}

const settingsSchema = v.pipe(v.string(), v.parseJson(), anyJsonObject);

function settings(text: string): Record<string, unknown> {
  const read = v.safeParse(settingsSchema, text);
  if (read.success) return read.output;
  throw new InvalidArgumentError(`It must be a JSON object, such as '{"wireNames":"openrouter"}'.`);
}

function publicOrigin(text: string): string {
  const read = v.safeParse(origin, text);
  if (read.success) return read.output;
  throw new InvalidArgumentError(`It ${read.issues[0].message}, such as https://name.example.`);
}

const demoCommand = (cli: Cli, stages: Stages) =>
  targetCommand(
    'demo',
    `Uploads a file, and creates and downloads a video with the model sandbox/clip-1. With a management key, creates a workspace
and a key, which remain, and on a local stage also verifies the signed webhook. With an API key, uses the workspace of the key.`,
    ['demo', 'demo --url https://…/api/v1 --key mk-… --out /tmp'],
  )
    .option('--out <folder>', 'output folder (default: downloads/)')
    .action(async ({ out, ...named }) => {
      const target = await targetOf(named, 'management_key', cli);
      await stages.demo(target, out ?? (await downloadsFolder()));
    });
