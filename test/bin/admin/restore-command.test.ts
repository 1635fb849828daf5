import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type LocalServer, serve } from '../../local-server.ts';
import { genway } from '../cli/genway.ts';
import { aDeployment } from './a-deployment.ts';

const CURRENT = 'Genway-prod-VideosJobs1A2B-NEW';
const [id, sort] = [
  { AttributeName: 'id', KeyType: 'HASH' },
  { AttributeName: 'sort', KeyType: 'RANGE' },
];
const restoredOf = (table: string, KeySchema = [id]) => ({
  KeySchema,
  RestoreSummary: { SourceTableArn: `arn:aws:dynamodb:us-east-1:1:table/${table}` },
});
const TABLES: Readonly<Record<string, object>> = {
  [CURRENT]: { KeySchema: [id] },
  'Genway-prod-Files-NEW': { KeySchema: [id, sort] },
  'jobs-before': restoredOf(CURRENT),
  'jobs-of-the-stack-before': restoredOf('Genway-prod-VideosJobs1A2B-OLD'),
  'events-before': restoredOf('Genway-prod-WebhooksEvents3C4D-NEW'),
  'files-before': restoredOf('Genway-prod-Files-NEW', [sort, id]),
  copied: { KeySchema: [id] },
};

let server: LocalServer;
beforeEach(async () => {
  server = await serve(({ headers, body }) => {
    const { TableName } = JSON.parse(body);
    const isDescribed = headers['x-amz-target'] === 'DynamoDB_20120810.DescribeTable';
    return { status: 200, body: isDescribed ? { Table: TABLES[TableName] } : { Items: [] } };
  });
});
afterEach(() => server.close());

const restore = (...tables: string[]) => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const dynamo = new DynamoDBClient({ endpoint: server.url, region: 'us-east-1', credentials });
  const client = DynamoDBDocumentClient.from(dynamo);
  const open = async () => ({ ...aDeployment(() => ''), client });
  return genway(['admin', 'restore-rows', ...tables, '--stage', 'prod', '--write'], {}, { open });
};

describe('restore-rows', () => {
  test.each([
    ['jobs-before', CURRENT],
    ['jobs-of-the-stack-before', CURRENT],
    ['copied', CURRENT],
    ['files-before', 'Genway-prod-Files-NEW'],
  ])('compares %s with %s', async (...tables) => {
    expect(await restore(...tables)).toMatchObject({
      code: 0,
      out: 'Rows restored: 0 (missing: 0, changed: 0)\nNewer rows: 0\n',
      err: '',
    });
  });

  test.each([
    [
      'another stage’s',
      ['jobs-before', 'Genway-dev-Jobs'],
      "Genway-dev-Jobs is not a table of the stack; the names of the stack's tables begin with Genway-prod-",
    ],
    ['itself', [CURRENT, CURRENT], 'the first must be the restored table'],
    ['a table with other keys', ['files-before', CURRENT], 'its key is id and sort, not '],
    [
      'the copy of another table',
      ['events-before', CURRENT],
      'events-before was restored from Genway-prod-WebhooksEvents3C4D-NEW, not from',
    ],
  ])('does not compare a table with %s', async (_, tables, sentence) => {
    const { code, out, err } = await restore(...tables);
    expect([code, out, err]).toEqual([1, '', expect.stringContaining(sentence)]);
    expect(server.received.filter(({ headers }) => String(headers['x-amz-target']).endsWith('Scan'))).toEqual(
      [],
    );
  });
});
