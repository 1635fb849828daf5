import {
  ChangeSetNotFoundException,
  CloudFormationClient,
  paginateDescribeChangeSet,
  type ResourceChange,
} from '@aws-sdk/client-cloudformation';
import type { PlannedChange } from './command.ts';

/** All changes of a change set, including nested stacks; an empty list if the change set does not exist. */
export async function readChanges(
  StackName: string,
  ChangeSetName: string,
  client = new CloudFormationClient(),
): Promise<PlannedChange[]> {
  const found: PlannedChange[] = [];
  for (const change of await resourceChanges(client, { StackName, ChangeSetName })) {
    found.push(plannedOf(change));
    if (change.ChangeSetId === undefined) continue;
    const within = { ChangeSetName: change.ChangeSetId };
    found.push(...(await resourceChanges(client, within)).map(plannedOf));
  }
  return found;
}

async function resourceChanges(
  client: CloudFormationClient,
  of: { readonly StackName?: string; readonly ChangeSetName: string },
): Promise<ResourceChange[]> {
  const changes: ResourceChange[] = [];
  try {
    for await (const page of paginateDescribeChangeSet({ client }, of)) {
      changes.push(...(page.Changes ?? []).flatMap(({ ResourceChange: change }) => change ?? []));
    }
  } catch (error) {
    // CDK deletes a change set without changes.
    if (!(error instanceof ChangeSetNotFoundException)) throw error;
  }
  return changes;
}

const plannedOf = ({
  LogicalResourceId = '',
  ResourceType = '',
  Action = 'Modify',
  Replacement,
}: ResourceChange): PlannedChange => ({
  logicalId: LogicalResourceId,
  type: ResourceType,
  action: Action,
  replacement: Replacement,
});
