import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  CreateBucketCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { DrilledStage } from '../drills/drilled-stage.ts';

const STACK = 'Genway-local';
const BOUNDARY = 'arn:aws:iam::000000000000:policy/limit';

let drilled: DrilledStage;
let s3: S3Client;
let dataKeyArn: string;
let logKeyArn: string;

beforeAll(async () => {
  drilled = await DrilledStage.start();
  const kms = new KMSClient(drilled.aws);
  const newKey = async () => (await kms.send(new CreateKeyCommand({}))).KeyMetadata?.Arn ?? '';
  [dataKeyArn, logKeyArn] = [await newKey(), await newKey()];
  s3 = new S3Client({ ...drilled.aws, forcePathStyle: true });
  await s3.send(new CreateBucketCommand({ Bucket: 'acme-logs' }));
  await drilled.bootstrap();
  await drilled.deploy({
    largeUploads: 'off',
    logRetentionDays: 400,
    tags: { owner: 'video' },
    own: { dataKeyArn, logKeyArn, accessLogBucket: 'acme-logs', permissionsBoundaryArn: BOUNDARY },
  });
}, 600_000);
afterAll(() => drilled[Symbol.asyncDispose](), 60_000);

async function filesBucket(): Promise<string> {
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  return Buckets.find(({ Name = '' }) => Name.startsWith('genway-local-files'))?.Name ?? '';
}

test('the deployed stage has what its deployer brings', async () => {
  const Bucket = await filesBucket();
  const { TagSet } = await s3.send(new GetBucketTaggingCommand({ Bucket }));
  expect(TagSet).toContainEqual({ Key: 'owner', Value: 'video' });
  const { logGroups = [] } = await new CloudWatchLogsClient(drilled.aws).send(
    new DescribeLogGroupsCommand({ logGroupNamePrefix: `/${STACK}/` }),
  );
  expect(logGroups.length).toBeGreaterThan(20);
  for (const group of logGroups) expect(group).toMatchObject({ kmsKeyId: logKeyArn, retentionInDays: 400 });
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
  const Bucket = await filesBucket();
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  const [object] = Contents.filter(({ Key = '' }) => Key.includes(id));
  const stored = await s3.send(new GetObjectCommand({ Bucket, Key: object?.Key }));
  expect(await stored.Body?.transformToString()).toBe('Moin');
});
