import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { anyJsonObject } from '../functions/http/validation.ts';
import { origin } from '../lib/stage/settings/fields.ts';
import { DEFAULT_STATE_FOLDER } from '../local/system/state-folder.ts';
import { visible } from '../local/terminal/text.ts';
import { apiCommand, examplesText, folder, targetOf } from './cli/api-command.ts';
import type { Cli } from './cli/cli.ts';
import { downloadsFolder } from './cli/downloads-folder.ts';
import type { Stages } from './program.ts';

const DEFAULT_PORT = 8787;
const DASHBOARD_PORT = 8788;

export const upCommand = (cli: Cli, stages: Stages) =>
  new Command('up')
    .description(
      `Runs all of Genway on this machine: an AWS emulator, the real CDK app deployed to it, and the API on one port.
It needs no AWS account. Ctrl-C stops it; the next start continues with the same data.`,
    )
    .option('--port <number>', "the API's port on 127.0.0.1; 0 means any free port", port, DEFAULT_PORT)
    .option(
      '--state <folder>',
      "the folder for this run's data; each folder is a separate run",
      folder,
      DEFAULT_STATE_FOLDER,
    )
    .option('--settings <json>', 'settings that differ from config/stages/local.json, as JSON', settings)
    .option(
      '--public-url <origin>',
      'where a tunnel to this port begins, such as https://name.example: there providers call when a video is made',
      publicOrigin,
    )
    .option('--open', 'open the console in a browser once it is ready')
    .option('--watch', 'redeploy a function within seconds of a change below functions/', false)
    .option(
      '--json',
      "print the functions' log lines as JSON, one document in a line, and nothing else on stdout",
      false,
    )
    .addHelpText(
      'after',
      `${examplesText(['up', 'up --open', 'up --port 0 --state /tmp/second', 'up --public-url https://name.example', `up --settings '{"wireNames":"openrouter"}'`])}

Set AWS_ENDPOINT_URL to use an emulator that already runs. More: docs/local.md.`,
    )
    .action(({ state, open, publicUrl, settings, ...options }) =>
      stages.up({
        stateDir: state,
        ...options,
        settings: { ...settings, ...(publicUrl === undefined ? {} : { providerCallbacks: publicUrl }) },
        ...(open ? { openPage: cli.openFile } : {}),
      }),
    );

export const resetCommand = (stages: Stages) =>
  new Command('reset')
    .description(
      'Deletes the state of a stopped local run: its files, keys, workspaces and jobs. The installed emulator stays.',
    )
    .option('--state <folder>', 'the folder that the run used', folder, DEFAULT_STATE_FOLDER)
    .addHelpText('after', examplesText(['reset', 'reset --state /tmp/second']))
    .action(({ state }) => stages.reset(state));

export const dashboardCommand = (cli: Cli, stages: Stages) =>
  new Command('dashboard')
    .description(
      `Shows the dashboards of a stage on this machine in a browser: the same as CloudWatch gets on AWS, with the
metrics of the local run. Ctrl-C ends it.`,
    )
    .option('--port <number>', "the page's port on 127.0.0.1; 0 means any free port", port, DASHBOARD_PORT)
    .option('--state <folder>', 'the folder of the run', folder, DEFAULT_STATE_FOLDER)
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
  throw new InvalidArgumentError(`${text} is not a port; give a number from 0 to 65535.`);
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

export const demoCommand = (cli: Cli, stages: Stages) =>
  apiCommand(
    'demo',
    `Runs the whole flow: upload, submit, poll, download, signed webhook. With a management key it creates a separate
workspace and verifies the webhook; with an API key it uses that key's workspace and leaves the webhook out.`,
    ['demo', 'demo --url https://…/api/v1 --key mk-… --out /tmp'],
  )
    .option('--out <folder>', 'the folder for the video (default: downloads/)')
    .action(async ({ out, ...named }) => {
      const target = await targetOf(named, 'management_key', cli);
      await stages.demo(target, out ?? (await downloadsFolder()));
    });
