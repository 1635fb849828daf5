import assert from 'node:assert/strict';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DrilledStage } from './drilled-stage.ts';

const RESTORED = 'Restored-jobs';

/**
 * Damages the jobs of a stage, and restores them as docs/deploy.md says. The emulator restores what there is as it is
 * asked, and knows no earlier moment: so it is asked before the damage.
 */
export async function restoreJobs(stage: DrilledStage): Promise<void> {
  const dynamo = new DynamoDBClient(stage.aws);
  const { JobsTable: table = '' } = stage.outputs;
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: RESTORED,
      UseLatestRestorableTime: true,
    }),
  );
  const rows = async (TableName: string) =>
    (await dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items?.toSorted((one, other) =>
      JSON.stringify(one).localeCompare(JSON.stringify(other)),
    ) ?? [];
  const before = await rows(RESTORED);
  const [gone, damaged] = before;
  assert.ok(gone?.id !== undefined && damaged?.id !== undefined, 'The stage has no two jobs');

  await stage.genway('admin', 'incident', 'pause', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteItemCommand({ TableName: table, Key: { id: gone.id } }));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { id: damaged.id },
      UpdateExpression: 'REMOVE #status',
      ExpressionAttributeNames: { '#status': 'status' },
    }),
  );
  const restore = (...options: string[]) =>
    stage.genway('admin', 'restore-rows', RESTORED, table, ...options);
  assert.match(await restore(), /^2 rows to put back: 1 gone, 1 another$/m);
  assert.match(await restore('--write'), /^2 rows put back/m);
  assert.match(await restore(), /^0 rows to put back/m);
  assert.deepEqual(await rows(table), before);
  await stage.genway('admin', 'incident', 'resume', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteTableCommand({ TableName: RESTORED }));
}
