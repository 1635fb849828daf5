import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { CommandFailed } from '../../cli/cli.ts';
import { type Admin, adminCommand, type Deployment } from '../command.ts';
import type { Tables } from './compare-tables.ts';
import { restoreRows } from './restore-rows.ts';

export const restoreRowsCommand = (admin: Admin) =>
  adminCommand(
    'restore-rows',
    `Compares a table of the stage with its restored copy, and counts the rows that are gone, that have changed,
and that are newer. With --write it restores the gone and the changed rows. Pause the workers first: what
they write during the restore could be lost.`,
    [
      'restore-rows RESTORED TABLE --stage prod',
      'restore-rows RESTORED TABLE --only 01K… --write --stage prod',
      'restore-rows RESTORED TABLE --write --remove-later --stage prod',
    ],
  )
    .argument('<restored>', 'the name of the restored table')
    .argument('<table>', 'the name of the stage’s table; it begins with Genway-<stage>-')
    .option('--only <id...>', 'only these rows, by partition key, such as ids of jobs')
    .option('--write', 'restore the rows instead of only counting them', false)
    .option('--remove-later', 'with --write: also remove rows that are newer than the restored moment', false)
    .action(async (restored, table, { stage, only, write, removeLater }) => {
      if (!table.startsWith(`Genway-${stage}-`) || restored === table)
        throw new CommandFailed(
          `${table} is not a table of the stage ${stage}; their names begin with Genway-${stage}-`,
        );
      const tables = await tablesOf(await admin.open(stage), restored, table);
      const found = await restoreRows(tables, { only, writes: write, removesLater: removeLater });
      const done = write ? 'restored' : 'to restore';
      admin.print(
        `${found.missing + found.different} rows ${done}: ${found.missing} gone, ${found.different} changed`,
      );
      admin.print(`${found.later} rows are newer${write && removeLater ? ', and were removed' : ''}`);
    });

async function tablesOf({ client }: Deployment, restored: string, current: string): Promise<Tables> {
  const [{ keys: of, source = current }, { keys: into }] = await Promise.all([
    described(client, restored),
    described(client, current),
  ]);
  if (of.join() !== into.join())
    throw new CommandFailed(
      `${restored} was not restored from ${current}: rows of ${restored} have the key ${of}`,
    );
  // Several tables have the same key, but the readers of one cannot read the rows of another.
  if (placeOf(source) !== placeOf(current))
    throw new CommandFailed(`${restored} was restored from ${source}, and not from ${current}`);
  return { client, restored, current, keys: into };
}

/** A table's name without its random end, which changes when the table is replaced. */
const placeOf = (table: string): string => table.slice(0, table.lastIndexOf('-'));

/** Its keys, the partition key first; and the table that it was restored from, if DynamoDB says so. */
async function described(client: Deployment['client'], TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keys = Table?.KeySchema?.toSorted((one) => (one.KeyType === 'HASH' ? -1 : 1)) ?? [];
  return {
    keys: keys.map(({ AttributeName = '' }) => AttributeName),
    source: Table?.RestoreSummary?.SourceTableArn?.split('/').at(-1),
  };
}
