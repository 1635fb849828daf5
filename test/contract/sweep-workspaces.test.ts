import { resolve } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { dynamo } from './aws.ts';
import { functionEnvironments } from './function-environment.ts';
import { call, form, newWorkspace, stage } from './stage.ts';

const { endpoint, region, credentials } = stage.aws;
const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
const key = stage.managementKey;

test('the deployed sweeper purges a workspace that was deleted an hour ago', async () => {
  const environment = (await functionEnvironments((value) => value)).get('sweep-workspaces') ?? {};
  const { WORKSPACES_TABLE, FILES_TABLE, FILES_BUCKET } = environment;
  const workspace = await newWorkspace();
  const stored = await call('POST', '/files', { key: workspace.key, body: form('Some words.') });
  expect(stored.status).toBe(200);
  const { hash } = (await call('GET', '/key', { key: workspace.key })).body.data;
  await call('DELETE', `/keys/${hash}`, { key });
  expect((await call('DELETE', `/workspaces/${workspace.slug}`, { key })).status).toBe(200);

  const row = { TableName: WORKSPACES_TABLE, Key: { pk: `WORKSPACE#${workspace.id}` } };
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await dynamo.send(
    new UpdateCommand({
      ...row,
      UpdateExpression: 'SET removed_at = :then',
      ExpressionAttributeValues: { ':then': anHourAgo },
    }),
  );
  Object.assign(process.env, environment, {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const { handler } = await import(resolve('functions/endpoints/workspaces/sweep-workspaces.ts'));
  await handler();

  const objects = await s3.send(
    new ListObjectsV2Command({ Bucket: FILES_BUCKET, Prefix: `${workspace.id}/` }),
  );
  expect(objects.KeyCount).toBe(0);
  const files = await dynamo.send(
    new QueryCommand({
      TableName: FILES_TABLE,
      KeyConditionExpression: 'workspace_id = :id',
      ExpressionAttributeValues: { ':id': workspace.id },
    }),
  );
  expect(files.Items).toEqual([]);
  expect((await dynamo.send(new GetCommand(row))).Item).toBeUndefined();
});
