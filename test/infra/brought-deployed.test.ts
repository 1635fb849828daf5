import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { InvokeCommand, LambdaClient, paginateListFunctions } from '@aws-sdk/client-lambda';
import {
  CreateBucketCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { signedFetch } from '../../functions/aws/signatures.ts';
import { DrilledStage } from '../drills/drilled-stage.ts';

const STACK = 'Genway-local';
const BOUNDARY = 'arn:aws:iam::000000000000:policy/limit';

let drilled: DrilledStage;
let s3: S3Client;
let dataKeyArn: string;
let logKeyArn: string;
let ops: Readonly<Record<string, string>>;

beforeAll(async () => {
  drilled = await DrilledStage.start();
  const kms = new KMSClient(drilled.aws);
  const newKey = async () => (await kms.send(new CreateKeyCommand({}))).KeyMetadata?.Arn ?? '';
  [dataKeyArn, logKeyArn] = [await newKey(), await newKey()];
  s3 = new S3Client({ ...drilled.aws, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'acme-logs' }));
  ops = await theirTopic();
  await drilled.bootstrap();
  await drilled.deploy({
    largeUploads: 'off',
    logRetentionDays: 400,
    auditExportDays: 2,
    tags: { owner: 'video' },
    alarms: { page: [ops.Topic] },
    own: { dataKeyArn, logKeyArn, accessLogBucket: 'acme-logs', permissionsBoundaryArn: BOUNDARY },
  });
}, 600_000);
afterAll(() => drilled[Symbol.asyncDispose](), 60_000);

/** A topic that exists before the stage, and a queue that shows what it gets. */
async function theirTopic(): Promise<Readonly<Record<string, string>>> {
  const client = new CloudFormationClient(drilled.aws);
  const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
  const Principal = { Service: 'sns.amazonaws.com' };
  const Statement = [{ Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: '*' }];
  const PolicyDocument = { Version: '2012-10-17', Statement };
  const Resources = {
    Topic: { Type: 'AWS::SNS::Topic', Properties: { TopicName: 'ops' } },
    Queue: { Type: 'AWS::SQS::Queue' },
    Policy: { Type: 'AWS::SQS::QueuePolicy', Properties: { Queues: [{ Ref: 'Queue' }], PolicyDocument } },
    Subscription: {
      Type: 'AWS::SNS::Subscription',
      Properties: { TopicArn: { Ref: 'Topic' }, Protocol: 'sqs', Endpoint: arnOf('Queue') },
    },
  };
  const Outputs = { Topic: { Value: { Ref: 'Topic' } }, Queue: { Value: { Ref: 'Queue' } } };
  const StackName = 'Ops';
  const TemplateBody = JSON.stringify({ Resources, Outputs });
  await client.send(new CreateStackCommand({ StackName, TemplateBody }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { StackName });
  const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const told = Stacks[0]?.Outputs ?? [];
  return Object.fromEntries(told.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

async function cloudWatch(action: string, parameters: object): Promise<unknown> {
  const send = signedFetch(fetch, 'monitoring', { ...drilled.aws, now: () => new Date() });
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': `GraniteServiceVersion20100801.${action}`,
  };
  const body = JSON.stringify(parameters);
  const response = await send(drilled.aws.endpoint, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  return response.json();
}

const alarmsSchema = v.object({
  MetricAlarms: v.array(v.object({ AlarmName: v.string(), AlarmActions: v.array(v.string()) })),
});

async function bucketOf(part: 'files' | 'auditexport'): Promise<string> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  return Buckets.find(({ Name = '' }) => Name.startsWith(`genway-local-${part}`))?.Name ?? '';
}

test('the deployed stage has what its deployer brings', async () => {
  const Bucket = await bucketOf('files');
  const { TagSet } = await s3.send(new GetBucketTaggingCommand({ Bucket }));
  expect(TagSet).toContainEqual({ Key: 'owner', Value: 'video' });
  const { logGroups = [] } = await new CloudWatchLogsClient(drilled.aws).send(
    new DescribeLogGroupsCommand({ logGroupNamePrefix: `/${STACK}/` }),
  );
  expect(logGroups.length).toBeGreaterThan(20);
  for (const group of logGroups) expect(group).toMatchObject({ kmsKeyId: logKeyArn, retentionInDays: 400 });
});

test('an urgent alarm reaches the topic that they bring, and one for working hours does not', async () => {
  const { MetricAlarms } = v.parse(alarmsSchema, await cloudWatch('DescribeAlarms', { MaxRecords: 100 }));
  const isUrgent = ({ AlarmActions }: { readonly AlarmActions: readonly string[] }) =>
    AlarmActions.includes(ops.Topic ?? '');
  const urgent = MetricAlarms.find(isUrgent)?.AlarmName;
  const other = MetricAlarms.find((alarm) => alarm.AlarmActions.length > 0 && !isUrgent(alarm))?.AlarmName;
  for (const AlarmName of [other, urgent])
    await cloudWatch('SetAlarmState', { AlarmName, StateValue: 'ALARM', StateReason: 'a trial' });
  const asked = { QueueUrl: ops.Queue, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 };
  const { Messages = [] } = await new SQSClient(drilled.aws).send(new ReceiveMessageCommand(asked));
  expect([urgent, other]).not.toContain(undefined);
  expect(Messages.map(({ Body }) => Body)).toEqual([expect.stringContaining(`${urgent}`)]);
});

test('its functions write objects, with the rights that they have then', async () => {
  const headers = { authorization: `Bearer ${await drilled.managementKey(process.cwd())}` };
  const json = { ...headers, 'content-type': 'application/json' };
  const asked = { method: 'POST', headers: json, body: JSON.stringify({ name: 'Ada' }) };
  const made = await fetch(`${drilled.baseUrl}/keys`, asked);
  const { key } = v.parse(v.object({ key: v.string() }), await made.json());
  const body = new FormData();
  body.append('file', new Blob(['Moin']), 'a.txt');
  const authorization = `Bearer ${key}`;
  const uploaded = await fetch(`${drilled.baseUrl}/files`, {
    method: 'POST',
    headers: { authorization },
    body,
  });
  expect(uploaded.status).toBe(200);
  const { id } = v.parse(v.object({ id: v.string() }), await uploaded.json());
  const Bucket = await bucketOf('files');
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const [object] = Contents.filter(({ Key = '' }) => Key.includes(id));
  const stored = await s3.send(new GetObjectCommand({ Bucket, Key: object?.Key }));
  expect(await stored.Body?.transformToString()).toBe('Moin');
});

test('the days of the audit trail are copied into a bucket of their own', async () => {
  const client = new LambdaClient(drilled.aws);
  const pages = await Array.fromAsync(paginateListFunctions({ client }, {}));
  const all = pages.flatMap(({ Functions = [] }) => Functions);
  const exporter = all.find(({ FunctionName = '' }) => FunctionName.includes('AuditExporter'));
  const { FunctionError } = await client.send(new InvokeCommand({ FunctionName: exporter?.FunctionName }));
  expect(FunctionError).toBeUndefined();
  const Bucket = await bucketOf('auditexport');
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  expect(Contents.map(({ Key }) => Key)).toEqual(
    Array.from({ length: 7 }, () => expect.stringMatching(/^20\d\d-\d\d-\d\d\.jsonl$/)),
  );
});
