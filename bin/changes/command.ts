import { Command } from '@commander-js/extra-typings';
import { visible } from '../../local/terminal/text.ts';
import { STACK_OPTION, stackNamed } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import { type Cli, CommandFailed } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';

export const changesCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('changes')
    .description(
      `Lists the changes in a change set. Fails if they could replace or remove a table, a bucket, a KMS key or a queue
that --allow does not name. The change set of the example is created by npx cdk deploy -c stage=prod --change-set-name next
--method=prepare-change-set. Requires AWS credentials.`,
    )
    .requiredOption('--change-set <name>', 'name of the change set')
    .option('--stage <stage>', 'stage, such as prod', 'dev')
    .option(...STACK_OPTION)
    .option(
      '--allow <id...>',
      'allow the replacement or removal of these tables, buckets, KMS keys and queues (logical IDs), even if their data is lost',
    )
    .addHelpText('after', examplesText(['changes --stage prod --change-set next']))
    .action(async ({ stage, stack, changeSet, allow = [] }) => {
      const changes = await stages.changes(stackNamed(stage, stack), changeSet);
      const tell = (line: string) => cli.stdout.write(`${visible(line)}\n`);
      if (changes.length === 0) tell(`The change set ${changeSet} has no changes or does not exist`);
      for (const change of changes) tell(changeLine(change));
      const lost = lostBy(changes, allow);
      if (lost.length === 0) return;
      const ids = lost.map(({ logicalId }) => logicalId).join(', ');
      throw new CommandFailed(
        visible(
          `The changes could lose or leave behind the data of these resources: ${ids}. To accept this, name each of them with --allow`,
        ),
      );
    });

/** What a deployment would do to one resource. */
export interface PlannedChange {
  readonly logicalId: string;
  readonly type: string;
  /** `Add`, `Modify`, `Remove` … as CloudFormation calls it. */
  readonly action: string;
  /** Whether the resource would be replaced: `True`, `False`, or `Conditional` if only the deployment can tell. */
  readonly replacement: string | undefined;
}

export const isReplaced = ({ replacement }: PlannedChange): boolean =>
  replacement === 'True' || replacement === 'Conditional';

/** Also true if the stage retains what it removes: the next deployment would begin with an empty resource. */
export const losesData = (change: PlannedChange): boolean =>
  HOLDS_DATA.includes(change.type) && (change.action === 'Remove' || isReplaced(change));

/** What may not be lost without permission. */
export const lostBy = (changes: readonly PlannedChange[], allowed: readonly string[]): PlannedChange[] =>
  changes.filter((change) => losesData(change) && !allowed.includes(change.logicalId));

/** `Modify, replaced  AWS::DynamoDB::GlobalTable  Keys4E30B592` */
function changeLine(change: PlannedChange): string {
  const how = isReplaced(change) ? `${change.action}, ${REPLACED[change.replacement ?? '']}` : change.action;
  return `${how.padEnd(24)}  ${change.type.padEnd(36)}  ${change.logicalId}`;
}

const REPLACED: Readonly<Record<string, string>> = { True: 'replaced', Conditional: 'may be replaced' };

/** Types of resources whose data nobody could restore. They may only be replaced or removed with explicit permission. */
export const HOLDS_DATA: readonly string[] = [
  'AWS::DynamoDB::GlobalTable',
  'AWS::S3::Bucket',
  'AWS::KMS::Key',
  'AWS::SQS::Queue',
];
