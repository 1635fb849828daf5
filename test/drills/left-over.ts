import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient, paginateListKeys } from '@aws-sdk/client-kms';
import { LambdaClient, paginateListEventSourceMappings, paginateListFunctions } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { paginateListSchedules, SchedulerClient } from '@aws-sdk/client-scheduler';
import { ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';
import type { AwsAccess } from '../../local/emulator/aws-access.ts';

/** Resources of `cdk bootstrap`, which other stacks of the account use too. */
const OF_THE_ACCOUNT = /^cdk-hnb659fds-/;

/** What an account still holds of a stage, by kind. A key that is scheduled for deletion does not count. */
export async function holdings(aws: AwsAccess): Promise<Record<string, string[]>> {
  const dynamo = new DynamoDBClient(aws);
  const lambda = new LambdaClient(aws);
  const scheduler = new SchedulerClient(aws);
  const { Buckets = [] } = await new S3Client({ ...aws, forcePathStyle: true }).send(
    new ListBucketsCommand(),
  );
  const { SecretList = [] } = await new SecretsManagerClient(aws).send(new ListSecretsCommand());
  const all = {
    tables: await named(paginateListTables({ client: dynamo }, {}), (page) => page.TableNames),
    buckets: Buckets.map(({ Name }) => Name),
    keys: await keysOf(new KMSClient(aws)),
    queues: await named(paginateListQueues({ client: new SQSClient(aws) }, {}), (page) => page.QueueUrls),
    functions: await named(paginateListFunctions({ client: lambda }, {}), (page) =>
      page.Functions?.map(({ FunctionName }) => FunctionName),
    ),
    feeds: await named(paginateListEventSourceMappings({ client: lambda }, {}), (page) =>
      page.EventSourceMappings?.map(({ UUID }) => UUID),
    ),
    schedules: await named(paginateListSchedules({ client: scheduler }, {}), (page) =>
      page.Schedules?.map(({ Name }) => Name),
    ),
    secrets: SecretList.map(({ Name }) => Name),
    logs: await named(paginateDescribeLogGroups({ client: new CloudWatchLogsClient(aws) }, {}), (page) =>
      page.logGroups?.map(({ logGroupName }) => logGroupName),
    ),
  };
  const kept = Object.entries(all).map(([what, names]): [string, string[]] => [
    what,
    names.filter((name) => name !== undefined).filter((name) => !OF_THE_ACCOUNT.test(name)),
  ]);
  return Object.fromEntries(kept.filter(([, names]) => names.length > 0));
}

async function named<Page>(
  pages: AsyncIterable<Page>,
  names: (page: Page) => readonly (string | undefined)[] | undefined,
): Promise<(string | undefined)[]> {
  const all: (string | undefined)[] = [];
  for await (const page of pages) all.push(...(names(page) ?? []));
  return all;
}

async function keysOf(client: KMSClient): Promise<(string | undefined)[]> {
  const ids = await named(paginateListKeys({ client }, {}), (page) => page.Keys?.map(({ KeyId }) => KeyId));
  const described = await Promise.all(ids.map((KeyId) => client.send(new DescribeKeyCommand({ KeyId }))));
  return described
    .filter(({ KeyMetadata }) => KeyMetadata?.KeyManager === 'CUSTOMER' && KeyMetadata.KeyState === 'Enabled')
    .map(({ KeyMetadata }) => KeyMetadata?.KeyId);
}
