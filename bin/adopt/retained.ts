import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';
import { CommandFailed } from '../cli/cli.ts';

/** One event in the life of a stack's resource. CloudFormation keeps it for 90 days after the stack's deletion. */
export interface StackEvent {
  readonly at: Date;
  readonly status: string;
  readonly type: string;
  readonly logicalId: string;
  readonly physicalId: string;
}

/** The property that identifies a resource, for the types that hold a stage's data. Queues are deleted with their stack. */
const IDENTIFIED_BY: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::KMS::Key': 'KeyId',
};

/** The identifiers of resources by logical id, as `cdk import --resource-mapping` reads them. */
type ResourceMapping = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The resources that a deleted stack has left behind. */
export function retainedBy(events: readonly StackEvent[]): ResourceMapping {
  const left = events
    .filter(({ status, type }) => status === 'DELETE_SKIPPED' && type in IDENTIFIED_BY)
    // If several had one logical id, the earlier ones were replaced while the stack existed.
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return Object.fromEntries(
    left.map(({ type, logicalId, physicalId }) => [logicalId, { [IDENTIFIED_BY[type] ?? '']: physicalId }]),
  );
}

/** What a deletion has left behind. */
export interface Retained {
  readonly stackId: string;
  readonly deletedAt: Date | undefined;
  readonly mapping: ResourceMapping;
}

/** @throws CommandFailed if the stack exists, or if no stack of that name was deleted in the last 90 days */
export async function readRetained(stack: string, client = new CloudFormationClient()): Promise<Retained> {
  if (await isThere(stack, client))
    throw new CommandFailed(
      `The stack ${stack} exists; data can be adopted only while no stack has this name`,
    );
  const deleted = [];
  for await (const page of paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] })) {
    deleted.push(...(page.StackSummaries ?? []).filter(({ StackName }) => StackName === stack));
  }
  const time = ({ DeletionTime }: { DeletionTime?: Date | undefined }) => DeletionTime?.getTime() ?? 0;
  for (const { StackId = '', DeletionTime } of deleted.toSorted((one, other) => time(other) - time(one))) {
    const mapping = retainedBy(await eventsOf(StackId, client));
    // A deployment that failed and was deleted may have left nothing.
    if (Object.keys(mapping).length > 0) return { stackId: StackId, deletedAt: DeletionTime, mapping };
  }
  throw new CommandFailed(
    `In this account and region, no stack ${stack} that was deleted in the last 90 days has left data behind. If the stack was deleted earlier, see “A deleted stage” in docs/deploy.md`,
  );
}

async function isThere(StackName: string, client: CloudFormationClient): Promise<boolean> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks.some(({ StackStatus }) => StackStatus !== 'REVIEW_IN_PROGRESS');
  } catch (error) {
    // CloudFormation has no separate error type for this.
    if (error instanceof Error && error.message.endsWith('does not exist')) return false;
    throw error;
  }
}

async function eventsOf(StackName: string, client: CloudFormationClient): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    events.push(
      ...StackEvents.map((event) => ({
        at: event.Timestamp ?? new Date(0),
        status: event.ResourceStatus ?? '',
        type: event.ResourceType ?? '',
        logicalId: event.LogicalResourceId ?? '',
        physicalId: event.PhysicalResourceId ?? '',
      })),
    );
  }
  return events;
}
