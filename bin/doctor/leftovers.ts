import {
  CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
  type Stack,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ListTagsOfResourceCommand, paginateListTables } from '@aws-sdk/client-dynamodb';
import {
  DescribeKeyCommand,
  KMSClient,
  ListResourceTagsCommand,
  paginateListKeys,
} from '@aws-sdk/client-kms';
import { GetBucketTaggingCommand, ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { shellWord } from '../../local/terminal/text.ts';
import { type Finding, fault, note, ok } from './finding.ts';
import { isFirst } from './stack.ts';

/** What an account holds of a stage, whether a stack has it or not. */
export interface Holdings {
  readonly tables: readonly string[];
  readonly buckets: readonly string[];
  readonly keys: readonly string[];
  /** Log groups have fixed names, so a stack cannot be created while they exist. */
  readonly logs: readonly string[];
}

export interface Where {
  readonly stage: string;
  /** The name of its stack. */
  readonly stack: string;
  readonly account: string;
  readonly region: string;
}

/** What the account holds of a stage and no stack has. */
export async function findLeftovers(where: Where): Promise<Holdings> {
  const [tables, buckets, keys, logs, owned] = await Promise.all([
    tablesOf(where),
    bucketsOf(where),
    keysOf(where),
    logsOf(where),
    ownedBy(where.stack, where.region),
  ]);
  const left = (names: readonly string[]) => names.filter((name) => !owned.has(name));
  // Most belong to a nested stack, whose resources are not listed here.
  const hasLogs = [...owned].some((id) => id.includes(':stack/'));
  return {
    tables: left(tables),
    buckets: left(buckets),
    keys: await ofNoStack(left(keys), where.region),
    logs: hasLogs ? [] : left(logs),
  };
}

interface Tag {
  readonly name: string | undefined;
  readonly value: string | undefined;
}

/** The names of stages may begin alike, so a name alone proves nothing. */
const isOf = (stage: string, tags: readonly Tag[]): boolean => {
  const has = (name: string, value: string) => tags.some((tag) => tag.name === name && tag.value === value);
  return has('service', 'genway') && has('stage', stage);
};

async function tablesOf({ stage, stack, account, region }: Where): Promise<string[]> {
  const client = new DynamoDBClient({ region });
  const found: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const name of TableNames.filter((each) => each.startsWith(`${stack}-`))) {
      const ResourceArn = `arn:${partitionOf(region)}:dynamodb:${region}:${account}:table/${name}`;
      const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn }));
      if (
        isOf(
          stage,
          Tags.map(({ Key, Value }) => ({ name: Key, value: Value })),
        )
      )
        found.push(name);
    }
  }
  return found;
}

const partitionOf = (region: string): string => {
  if (region.startsWith('cn-')) return 'aws-cn';
  return region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
};

async function bucketsOf({ stage, stack, region }: Where): Promise<string[]> {
  // An emulator has no host for each bucket.
  const client = new S3Client({ region, forcePathStyle: true });
  const { Buckets = [] } = await client.send(new ListBucketsCommand({ BucketRegion: region }));
  const found: string[] = [];
  for (const { Name = '' } of Buckets.filter((each) => each.Name?.startsWith(`${stack.toLowerCase()}-`))) {
    const { TagSet = [] } = await unlessRefused(client.send(new GetBucketTaggingCommand({ Bucket: Name })));
    if (
      isOf(
        stage,
        TagSet.map(({ Key, Value }) => ({ name: Key, value: Value })),
      )
    )
      found.push(Name);
  }
  return found;
}

/** What has no tags or may not be read is not the stage's. */
async function unlessRefused<Answer extends object>(asked: Promise<Answer>): Promise<Partial<Answer>> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && REFUSALS.includes(error.name)) return {};
    throw error;
  }
}

const REFUSALS = ['NoSuchTagSet', 'AccessDenied', 'AccessDeniedException'];

/** A key that waits for its deletion costs nothing. */
async function keysOf({ stage, region }: Where): Promise<string[]> {
  const client = new KMSClient({ region });
  const found: string[] = [];
  for await (const { Keys = [] } of paginateListKeys({ client }, {})) {
    for (const { KeyId = '' } of Keys) {
      const { KeyMetadata } = await unlessRefused(client.send(new DescribeKeyCommand({ KeyId })));
      if (KeyMetadata?.KeyManager !== 'CUSTOMER' || KeyMetadata.KeyState !== 'Enabled') continue;
      const { Tags = [] } = await client.send(new ListResourceTagsCommand({ KeyId }));
      if (
        isOf(
          stage,
          Tags.map(({ TagKey, TagValue }) => ({ name: TagKey, value: TagValue })),
        )
      )
        found.push(KeyId);
    }
  }
  return found;
}

async function logsOf({ stack, region }: Where): Promise<string[]> {
  const client = new CloudWatchLogsClient({ region });
  const found: string[] = [];
  const asked = { logGroupNamePrefix: `/${stack}/` };
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, asked)) {
    found.push(...logGroups.flatMap(({ logGroupName }) => logGroupName ?? []));
  }
  return found;
}

/** Keys have no names that tell of their stack, and those of other stacks with this stage's name have the same tags. */
async function ofNoStack(keys: readonly string[], region: string): Promise<string[]> {
  if (keys.length === 0) return [];
  const left = new Set(keys);
  const client = new CloudFormationClient({ region });
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, {})) {
    for (const { StackId = '' } of StackSummaries.filter((each) => each.StackStatus !== 'DELETE_COMPLETE')) {
      for (const id of await ownedBy(StackId, region)) left.delete(id);
    }
  }
  return [...left];
}

/** What the stack has, by the ids that AWS gave. What it has left behind is still listed, as skipped. */
async function ownedBy(stack: string, region: string): Promise<ReadonlySet<string>> {
  const client = new CloudFormationClient({ region });
  const resources: StackResourceSummary[] = [];
  try {
    for await (const page of paginateListStackResources({ client }, { StackName: stack })) {
      resources.push(...(page.StackResourceSummaries ?? []));
    }
  } catch (error) {
    if (!(error instanceof Error && /does not exist/.test(error.message))) throw error;
  }
  const kept = resources.filter(
    ({ ResourceStatus = '' }) => !['DELETE_SKIPPED', 'DELETE_COMPLETE'].includes(ResourceStatus),
  );
  return new Set(kept.flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []));
}

/** Says what to do with what belongs to no stack. */
export function judgeLeftovers(
  { tables, buckets, keys, logs }: Holdings,
  { file, region }: { readonly file: string; readonly region: string },
  stack: Stack | undefined,
): Finding {
  const kinds = { table: tables, bucket: buckets, 'KMS key': keys };
  const counts = Object.entries(kinds)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${names.length} ${kind}${names.length === 1 ? '' : 's'}`);
  if (counts.length === 0 && logs.length === 0) return ok('leftovers', 'none from an earlier deployment');
  const lines = [
    ...(counts.length === 0
      ? []
      : [
          `These resources have the tags of the stage, belong to no stack, and may cost money: ${counts.join(', ')}.`,
          adviceOn(file, stack, buckets.length > 0),
          ...removals({ tables, buckets, keys, logs: [] }, region),
        ]),
    ...(logs.length === 0
      ? []
      : [
          'Log groups of an earlier deployment have names that the next one needs. Remove the log groups:',
          ...removals({ tables: [], buckets: [], keys: [], logs }, region),
        ]),
  ];
  return logs.length > 0 ? fault('leftovers', lines.join('\n')) : note('leftovers', lines.join('\n'));
}

/** `adopt` refuses while there is a stack, unless it is a change set that was not executed. */
function adviceOn(file: string, stack: Stack | undefined, hasBuckets: boolean): string {
  const remove = `${hasBuckets ? 'empty the buckets, and then remove the resources' : 'remove the resources'}:`;
  if (!isFirst(stack))
    return `npx genway adopt cannot take them over while the stage has a stack. If you do not need their data, ${remove}`;
  const isGone = stack === undefined || stack.StackStatus === 'REVIEW_IN_PROGRESS';
  const when = isGone ? '' : 'once its stack is deleted, ';
  return `If the stage ever worked, they may hold its data; ${when}adopt them with npx genway adopt --config ${shellWord(file)}. If the stage never worked, ${remove}`;
}

function removals({ tables, buckets, keys, logs }: Holdings, region: string): string[] {
  const each = (name: string, values: readonly string[], ...commands: string[]): string[] =>
    values.length === 0 ? [] : [`for ${name} in ${values.join(' ')}; do ${commands.join(' && ')}; done`];
  const dynamo = (action: string) => `aws dynamodb ${action} --region ${region} --table-name $TABLE`;
  return [
    ...each(
      'TABLE',
      tables,
      `${dynamo('update-table --no-deletion-protection-enabled')} > /dev/null`,
      dynamo('wait table-exists'),
      `${dynamo('delete-table')} > /dev/null`,
    ),
    ...each('BUCKET', buckets, `aws s3 rb s3://$BUCKET --region ${region}`),
    ...each('KEY', keys, `aws kms schedule-key-deletion --region ${region} --key-id $KEY > /dev/null`),
    ...each('GROUP', logs, `aws logs delete-log-group --region ${region} --log-group-name $GROUP`),
  ];
}
