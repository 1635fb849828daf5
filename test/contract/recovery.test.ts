import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  CloudFormationClient,
  CreateChangeSetCommand,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  ListStacksCommand,
  UpdateStackCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { awsEnvironment } from '../../local/emulator/aws-access.ts';
import { stage } from './stage.ts';
import { until } from './until.ts';

/** Runs a command like a deployer, who has AWS credentials and nothing else. @returns its output */
async function genway(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['bin/genway.ts', ...args], {
    env: awsEnvironment(stage.aws),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** A separate stack with a table, a bucket and a key like a stage's. */
const resources = {
  Jobs: {
    Type: 'AWS::DynamoDB::GlobalTable',
    DeletionPolicy: 'Retain',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      Replicas: [{ Region: stage.aws.region }],
    },
  },
  Objects: { Type: 'AWS::S3::Bucket', DeletionPolicy: 'Retain' },
  SigningKey: {
    Type: 'AWS::KMS::Key',
    DeletionPolicy: 'Retain',
    Properties: {
      KeyPolicy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: 'arn:aws:iam::000000000000:root' },
            Action: 'kms:*',
            Resource: '*',
          },
        ],
      },
    },
  },
} as const;

test('the data of a deleted stage is found, and adopted by a stack of the same name', async () => {
  const cloudFormation = new CloudFormationClient(stage.aws);
  const name = `t${Date.now()}`;
  const StackName = `Genway-${name}`;
  const template = (all: object) => JSON.stringify({ Resources: all });
  const status = async () =>
    (await cloudFormation.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0]?.StackStatus;
  const goes = { Gone: { Type: 'AWS::SQS::Queue' } };
  await cloudFormation.send(
    new CreateStackCommand({ StackName, TemplateBody: template({ ...resources, ...goes }) }),
  );
  await until(status, (now) => now === 'CREATE_COMPLETE');
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  const deleted = new ListStacksCommand({ StackStatusFilter: ['DELETE_COMPLETE'] });
  await until(
    async () => (await cloudFormation.send(deleted)).StackSummaries ?? [],
    (stacks) => stacks.some((stack) => stack.StackName === StackName),
  );

  const folder = await mkdtemp(join(tmpdir(), 'genway-adopt-'));
  const out = join(folder, 'adopt.json');
  expect(await genway('adopt', '--stage', name, '--out', out)).toContain(`cdk import ${StackName} `);
  const mapping: Record<keyof typeof resources, Record<string, string>> = JSON.parse(
    await readFile(out, 'utf8'),
  );
  await rm(folder, { recursive: true });
  expect(mapping).toEqual({
    Jobs: { TableName: expect.stringContaining(StackName) },
    Objects: { BucketName: expect.stringContaining(name) },
    SigningKey: { KeyId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });

  // `cdk import` does the same with the file.
  const taken = { StackName, ChangeSetName: 'adopt' };
  await cloudFormation.send(
    new CreateChangeSetCommand({
      ...taken,
      ChangeSetType: 'IMPORT',
      TemplateBody: template(resources),
      ResourcesToImport: Object.entries(resources).map(([LogicalResourceId, { Type }]) => ({
        LogicalResourceId,
        ResourceType: Type,
        ResourceIdentifier: mapping[LogicalResourceId as keyof typeof resources],
      })),
    }),
  );
  await until(
    async () => (await cloudFormation.send(new DescribeChangeSetCommand(taken))).ExecutionStatus,
    (now) => now === 'AVAILABLE',
  );
  await cloudFormation.send(new ExecuteChangeSetCommand(taken));
  expect(await until(status, (now) => now?.endsWith('_COMPLETE') === true)).toBe('IMPORT_COMPLETE');
});

test('a table that gets an index keeps its name and its rows', async () => {
  const cloudFormation = new CloudFormationClient(stage.aws);
  const rows = DynamoDBDocumentClient.from(new DynamoDBClient(stage.aws));
  const StackName = `Genway-t${Date.now()}`;
  const { Properties, Type } = resources.Jobs;
  const template = (more: object) =>
    JSON.stringify({
      Resources: { Jobs: { Type, Properties: { ...Properties, ...more } } },
      Outputs: { Table: { Value: { Ref: 'Jobs' } } },
    });
  const tableAt = async (wanted: string) => {
    const told = await until(
      async () => (await cloudFormation.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0],
      (now) => now?.StackStatus === wanted,
    );
    return told?.Outputs?.[0]?.OutputValue;
  };
  await cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody: template({}) }));
  const TableName = await tableAt('CREATE_COMPLETE');
  const Item = { id: 'a', owner: 'b' };
  await rows.send(new PutCommand({ TableName, Item }));
  const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
  const indexed = {
    AttributeDefinitions: [attribute('id'), attribute('owner')],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'of-owner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  };
  await cloudFormation.send(new UpdateStackCommand({ StackName, TemplateBody: template(indexed) }));
  expect(await tableAt('UPDATE_COMPLETE')).toBe(TableName);
  expect((await rows.send(new ScanCommand({ TableName }))).Items).toEqual([Item]);
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
});

test('a nested stack still has outputs of resources that its update does not change', async () => {
  const cloudFormation = new CloudFormationClient(stage.aws);
  const s3 = new S3Client({ ...stage.aws, forcePathStyle: true });
  const name = `t${Date.now()}`;
  const StackName = `Genway-${name}`;
  await s3.send(new CreateBucketCommand({ Bucket: name }));
  const queue = { Type: 'AWS::SQS::Queue' };
  const place = { Value: { 'Fn::GetAtt': ['Kept', 'Arn'] } };
  const withNested = async (file: string, Resources: object) => {
    const Body = JSON.stringify({ Resources, Outputs: { Place: place } });
    await s3.send(new PutObjectCommand({ Bucket: name, Key: file, Body }));
    const TemplateURL = `https://s3.${stage.aws.region}.amazonaws.com/${name}/${file}`;
    return JSON.stringify({
      Resources: { Nested: { Type: 'AWS::CloudFormation::Stack', Properties: { TemplateURL } } },
      Outputs: { Place: { Value: { 'Fn::GetAtt': ['Nested', 'Outputs.Place'] } } },
    });
  };
  const told = async () => (await cloudFormation.send(new DescribeStacksCommand({ StackName }))).Stacks?.[0];
  const before = await withNested('before.json', { Kept: queue });
  await cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody: before }));
  await until(told, (now) => now?.StackStatus === 'CREATE_COMPLETE');
  const after = await withNested('after.json', { Kept: queue, New: queue });
  await cloudFormation.send(new UpdateStackCommand({ StackName, TemplateBody: after }));
  const updated = await until(
    told,
    (now) => now?.StackStatus?.startsWith('UPDATE_') === true && !now.StackStatus.endsWith('_IN_PROGRESS'),
  );
  expect(updated).toMatchObject({
    StackStatus: 'UPDATE_COMPLETE',
    Outputs: [{ OutputKey: 'Place', OutputValue: expect.stringContaining(':sqs:') }],
  });
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
});

test('rows of a restored table are copied back into the stage’s table', async () => {
  const dynamo = new DynamoDBClient(stage.aws);
  const rows = DynamoDBDocumentClient.from(dynamo);
  const table = `Genway-local-own-${crypto.randomUUID()}`;
  const restored = `${table}-restored`;
  await dynamo.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  const put = (Item: Record<string, unknown>) => rows.send(new PutCommand({ TableName: table, Item }));
  for (const id of ['a', 'b', 'c']) await put({ id, money: 1 });
  // The emulator cannot restore an earlier moment. It restores the table as it is now.
  await dynamo.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: table,
      TargetTableName: restored,
      UseLatestRestorableTime: true,
    }),
  );
  await rows.send(new DeleteCommand({ TableName: table, Key: { id: 'a' } }));
  await put({ id: 'b', money: 'a mistake' });
  await put({ id: 'd', money: 4 });

  const restore = (...options: string[]) =>
    genway('admin', 'restore-rows', restored, table, '--stage', 'local', ...options);
  expect(await restore()).toBe('Rows to restore: 2 (missing: 1, changed: 1)\nNewer rows: 1\n');
  expect(await restore('--write')).toBe('Rows restored: 2 (missing: 1, changed: 1)\nNewer rows: 1\n');
  const { Items = [] } = await rows.send(new ScanCommand({ TableName: table }));
  expect(Items.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
    { id: 'a', money: 1 },
    { id: 'b', money: 1 },
    { id: 'c', money: 1 },
    { id: 'd', money: 4 },
  ]);
  for (const TableName of [table, restored]) await dynamo.send(new DeleteTableCommand({ TableName }));
});
