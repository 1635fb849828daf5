import { Command } from '@commander-js/extra-typings';
import { visible } from '../../local/terminal/text.ts';
import { changeLine, losesData } from '../changes/planned-change.ts';
import { CommandFailed } from '../cli/cli.ts';
import { examplesText } from './api-command.ts';
import type { Cli } from './cli.ts';
import type { Stages } from './program.ts';

export const changesCommand = (cli: Cli, stages: Stages) =>
  new Command('changes')
    .description(
      `Lists what a change set would do to a stage, and fails if it would replace or remove a table, a bucket,
a key or a queue. npx cdk deploy --method=prepare-change-set creates one. It needs your AWS credentials.`,
    )
    .requiredOption('--change-set <name>', 'the name of the change set')
    .option('--stage <stage>', 'the deployment: dev, prod …', 'dev')
    .option('--allow <id...>', 'logical ids of resources that may be replaced or removed with their data')
    .addHelpText('after', examplesText(['changes --stage prod --change-set next']))
    .action(async ({ stage, changeSet, allow = [] }) => {
      const changes = await stages.changes(`Genway-${stage}`, changeSet);
      const tell = (line: string) => cli.stdout.write(`${visible(line)}\n`);
      if (changes.length === 0) tell('Nothing changes');
      for (const change of changes) tell(changeLine(change));
      const lost = changes.filter((change) => losesData(change) && !allow.includes(change.logicalId));
      if (lost.length === 0) return;
      const ids = lost.map(({ logicalId }) => logicalId).join(', ');
      throw new CommandFailed(
        visible(`Refused: the data of these resources would be lost or left behind: ${ids}`),
      );
    });
