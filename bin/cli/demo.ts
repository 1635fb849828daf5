import { apiCommand } from './api-command.ts';
import type { Cli } from './cli.ts';
import type { Stages } from './program.ts';
import { findTarget, readLocalRun } from './target.ts';

export const demoCommand = (cli: Cli, stages: Stages) =>
  apiCommand(
    'demo',
    `Runs the whole flow: upload, submit, poll, download, signed webhook. With a management key it creates a separate
workspace and verifies the webhook; with an API key it uses that key's workspace and leaves the webhook out.`,
    ['demo', 'demo --url https://…/api/v1 --key mk-… --out /tmp'],
  )
    .option('--out <folder>', 'the folder for the video', '.')
    .action(async ({ url, key, out }) => {
      const target = findTarget({ url, key }, cli.environment, await readLocalRun(), 'management_key');
      await stages.demo(target, out);
    });
