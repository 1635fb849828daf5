import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { ROOT } from '../../lib/bundling/folders.ts';
import { readStage, stageFile, titleOf } from '../../lib/stage/config.ts';
import { shellWord, visible } from '../../local/terminal/text.ts';
import { CONFIG_OPTION, STACK_OPTION, stackNamed } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';

export const adoptCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('adopt')
    .description(
      `Finds the tables, buckets and KMS keys of a stage that was deleted in the last 90 days, and writes a resource mapping for cdk import,
which adds them to a new deployment. Requires AWS credentials. Changes nothing in the account.`,
    )
    .option('--stage <stage>', 'stage that was deleted (default: dev, without --config and --stack)')
    .option(...CONFIG_OPTION)
    .option(...STACK_OPTION)
    .option('--out <file>', 'output file', 'adopt.json')
    .addHelpText(
      'after',
      examplesText(['adopt --stage prod', 'adopt --config prod.jsonc', 'adopt --stack Media']),
    )
    .action(async ({ out, ...asked }) => {
      const tell = (line: string) => cli.stdout.write(`${visible(line)}\n`);
      const { stack, region, next } = planOf(asked, out);
      const { stackId, deletedAt, mapping } = await stages.retained(stack, region);
      const when = deletedAt === undefined ? '' : `, deleted at ${deletedAt.toISOString()},`;
      tell(`${stackId}${when} left behind:`);
      for (const [place, identifier] of Object.entries(mapping))
        tell(`  ${place.padEnd(32)}  ${Object.values(identifier).join()}`);
      await writeFile(out, `${JSON.stringify(mapping, null, 2)}\n`);
      const [first, then] = next;
      tell(`Next: ${first}`);
      tell(`Then: ${then}`);
    });

interface Asked {
  readonly stage?: string | undefined;
  readonly config?: string | undefined;
  readonly stack?: string | undefined;
}

interface Plan {
  readonly stack: string;
  readonly region?: string | undefined;
  /** The commands that make the new deployment. */
  readonly next: readonly [string, string];
}

/** The CDK app of a settings file is that of this command, and that of a stack alone is the deployer's own. */
function planOf({ stage, config, stack: named }: Asked, out: string): Plan {
  if (config !== undefined) {
    const settings = readStage(stageFile({ stage: '', config }));
    const stack = titleOf(settings);
    const command = `npx cdk import ${stack} -c config=${shellWord(config)}`;
    const first = `(cd ${shellWord(ROOT)} && ${command} --resource-mapping ${shellWord(resolve(out))})`;
    return {
      stack,
      region: settings.region,
      next: [first, `npx genway deploy --config ${shellWord(config)}`],
    };
  }
  const stack = stackNamed(stage ?? 'dev', named);
  const app = named !== undefined && stage === undefined ? '' : ` -c stage=${stage ?? 'dev'}`;
  const first = `npx cdk import ${stack}${app} --resource-mapping ${shellWord(out)}`;
  return { stack, next: [first, `npx cdk deploy ${stack}${app}`] };
}
