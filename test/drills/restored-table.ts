import assert from 'node:assert/strict';
import {
  DeleteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  GetItemCommand,
  RestoreTableToPointInTimeCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { DrilledStage } from './drilled-stage.ts';

const RESTORED = 'Restored-jobs';

/**
 * Damages two ended jobs and restores them as docs/deploy.md describes. The emulator cannot restore an earlier moment,
 * so the table is restored before the damage.
 */
export async function restoreJobs(stage: DrilledStage, jobs: readonly string[]): Promise<void> {
  const dynamo = new DynamoDBClient(stage.aws);
  const table = stage.output('JobsTable');
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: RESTORED,
      UseLatestRestorableTime: true,
    }),
  );
  const row = async (TableName: string, id: string) =>
    (await dynamo.send(new GetItemCommand({ TableName, Key: { id: { S: id } }, ConsistentRead: true }))).Item;
  const [gone = '', damaged = ''] = jobs;
  const before = await Promise.all([gone, damaged].map((id) => row(RESTORED, id)));
  assert.ok(!before.includes(undefined), 'The stage has no such jobs');

  await stage.genway('admin', 'incident', 'pause', 'submit-jobs', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteItemCommand({ TableName: table, Key: { id: { S: gone } } }));
  await dynamo.send(
    new UpdateItemCommand({
      TableName: table,
      Key: { id: { S: damaged } },
      UpdateExpression: 'REMOVE #status',
      ExpressionAttributeNames: { '#status': 'status' },
    }),
  );
  const restore = (...options: string[]) =>
    stage.genway('admin', 'restore-rows', RESTORED, table, '--only', gone, damaged, ...options);
  assert.match(await restore(), /^2 rows to restore: 1 gone, 1 changed$/m);
  assert.match(await restore('--write'), /^2 rows restored: 1 gone, 1 changed$/m);
  assert.match(await restore(), /^0 rows to restore/m);
  assert.deepEqual(await Promise.all([gone, damaged].map((id) => row(table, id))), before);
  await stage.genway('admin', 'incident', 'resume', 'submit-jobs', 'poll-videos', 'sweep-jobs');
  await dynamo.send(new DeleteTableCommand({ TableName: RESTORED }));
}
