import { writeFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import { visible } from '../../local/terminal/text.ts';
import { STACK_OPTION, stackNamed } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';

export const adoptCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('adopt')
    .description(
      `Finds the tables, buckets and keys that a deleted stage left behind, and writes a resource mapping for cdk import,
which adds them to a new deployment. Requires AWS credentials. Changes nothing in the account.`,
    )
    .option('--stage <stage>', 'stage that was deleted', 'dev')
    .option(...STACK_OPTION)
    .option('--out <file>', 'output file', 'adopt.json')
    .addHelpText('after', examplesText(['adopt --stage prod', 'adopt --stage prod --out prod.json']))
    .action(async ({ stage, stack: named, out }) => {
      const tell = (line: string) => cli.stdout.write(`${visible(line)}\n`);
      const stack = stackNamed(stage, named);
      const { stackId, deletedAt, mapping } = await stages.retained(stack);
      const when = deletedAt === undefined ? '' : `, deleted at ${deletedAt.toISOString()},`;
      tell(`${stackId}${when} has left:`);
      for (const [place, identifier] of Object.entries(mapping))
        tell(`  ${place.padEnd(32)}  ${Object.values(identifier).join()}`);
      await writeFile(out, `${JSON.stringify(mapping, null, 2)}\n`);
      tell(`Next: npx cdk import ${stack} -c stage=${stage} --resource-mapping ${shellWord(out)}`);
      tell(`Then: npx cdk deploy -c stage=${stage}`);
    });

/** A line that is there to be pasted must take a name with spaces as one word. */
const shellWord = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
