import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { type Admin, adminCommand, CommandFailed, type Deployment } from '../command.ts';
import type { Tables } from './compare-tables.ts';
import { restoreRows } from './restore-rows.ts';

export const restoreRowsCommand = (admin: Admin) =>
  adminCommand(
    'restore-rows',
    `Compares a table of the stage with one that DynamoDB has restored of it, and says how many rows are gone,
are another now, or came later. With --write it puts the first two back. Pause the workers before that:
what they write meanwhile could be lost.`,
    [
      'restore-rows RESTORED TABLE --stage prod',
      'restore-rows RESTORED TABLE --only 01K… --write --stage prod',
      'restore-rows RESTORED TABLE --write --remove-later --stage prod',
    ],
  )
    .argument('<restored>', 'the name of the restored table')
    .argument('<table>', 'the name of the stage’s, which begins with Genway-<stage>-')
    .option('--only <id...>', 'partition keys of the rows that are meant, as ids of jobs')
    .option('--write', 'change the rows, and do not only count them', false)
    .option('--remove-later', 'with --write: remove rows that came after the restored moment', false)
    .action(async (restored, table, { stage, only, write, removeLater }) => {
      if (!table.startsWith(`Genway-${stage}-`) || restored === table)
        throw new CommandFailed(
          `${table} is no table of the stage ${stage}: those begin with Genway-${stage}-`,
        );
      const tables = await tablesOf(await admin.open(stage), restored, table);
      const found = await restoreRows(tables, { only, writes: write, removesLater: removeLater });
      const done = write ? 'put back' : 'to put back';
      admin.print(
        `${found.missing + found.different} rows ${done}: ${found.missing} gone, ${found.different} another`,
      );
      admin.print(`${found.later} rows came later${write && removeLater ? ', and are removed' : ''}`);
    });

async function tablesOf({ client }: Deployment, restored: string, current: string): Promise<Tables> {
  const [{ keys: of, source = current }, { keys: into }] = await Promise.all([
    described(client, restored),
    described(client, current),
  ]);
  if (of.join() !== into.join())
    throw new CommandFailed(
      `${restored} was not restored of ${current}: rows of ${restored} have the key ${of}`,
    );
  // Several tables have the same key, and rows of one in another would be lost on whoever reads those.
  if (placeOf(source) !== placeOf(current))
    throw new CommandFailed(`${restored} was restored of ${source}, and not of ${current}`);
  return { client, restored, current, keys: into };
}

/** A table's name without its random end: a table that was replaced had another one. */
const placeOf = (table: string): string => table.slice(0, table.lastIndexOf('-'));

/** Its keys, the partition key first; and what it was restored of, where DynamoDB says so. */
async function described(client: Deployment['client'], TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const keys = Table?.KeySchema?.toSorted((one) => (one.KeyType === 'HASH' ? -1 : 1)) ?? [];
  return {
    keys: keys.map(({ AttributeName = '' }) => AttributeName),
    source: Table?.RestoreSummary?.SourceTableArn?.split('/').at(-1),
  };
}
