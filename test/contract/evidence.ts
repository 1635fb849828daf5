import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables, paginateScan } from '@aws-sdk/client-dynamodb';
import { paginateListQueues, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { stage } from './stage.ts';

/** Everything that a deployment stores about its requests, as text, by the place where it is stored. */
export type Evidence = ReadonlyMap<string, string>;

/** All lines of all log groups. CloudWatch forgets lines, so the run's own copy is read too. */
export async function readLogs(): Promise<string> {
  const client = new CloudWatchLogsClient({ ...stage.aws });
  const lines: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, {})) {
    for (const { logGroupName } of logGroups) {
      const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName }));
      lines.push(...events.map(({ message = '' }) => message));
    }
  }
  client.destroy();
  // Read after CloudWatch: a line that has left CloudWatch by then is in this copy.
  const copied = await readFile(stage.logFile, 'utf8');
  lines.push(
    ...copied
      .split('\n')
      // The last line may be incomplete.
      .slice(0, -1)
      .map((line) => JSON.parse(line).text),
  );
  return lines.join('\n');
}

/** Waits until the logs contain all these marks. A function's lines arrive together, shortly after its answer. */
export async function logsWith(marks: readonly string[], deadline = Date.now() + 30_000): Promise<string> {
  const logs = await readLogs();
  const missing = marks.filter((mark) => !logs.includes(mark));
  if (missing.length === 0) return logs;
  if (Date.now() > deadline) throw new Error(`nothing was logged of ${missing.join(', ')}`);
  await wait(250);
  return logsWith(marks, deadline);
}

/** All attributes of all rows of all tables. */
export async function readTables(): Promise<Evidence> {
  const client = new DynamoDBClient({ ...stage.aws });
  const tables = new Map<string, string>();
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const TableName of TableNames) {
      const rows: unknown[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
        rows.push(...Items);
      }
      tables.set(TableName, JSON.stringify(rows));
    }
  }
  client.destroy();
  return tables;
}

/** The messages of all queues, including dead letters. Reading does not remove them. */
export async function readQueues(): Promise<Evidence> {
  const client = new SQSClient({ ...stage.aws });
  const queues = new Map<string, string>();
  for await (const { QueueUrls = [] } of paginateListQueues({ client }, {})) {
    for (const QueueUrl of QueueUrls) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 }),
      );
      queues.set(QueueUrl, JSON.stringify(Messages));
    }
  }
  client.destroy();
  return queues;
}

/** Whether a text contains a secret, in plain form or as JSON, a URL or base64 would write it. */
export function holds(text: string, secret: string): boolean {
  const plain = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return [...plain, ...base64Forms(secret)].some((form) => text.includes(form));
}

/**
 * Base64 of a text differs at each of three offsets. The first and last characters also depend on the neighbours, so
 * they are cut off.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.from('x'.repeat(offset) + secret).toString('base64url');
    const form = encoded.slice(offset === 0 ? 0 : offset + 1, -2);
    return [form, form.replaceAll('-', '+').replaceAll('_', '/')];
  });
}
