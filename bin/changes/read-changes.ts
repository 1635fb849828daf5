import {
  ChangeSetNotFoundException,
  CloudFormationClient,
  type DescribeChangeSetCommandOutput,
  paginateDescribeChangeSet,
  type ResourceChange,
} from '@aws-sdk/client-cloudformation';
import { CommandFailed } from '../cli/cli.ts';
import type { PlannedChange } from './command.ts';

/**
 * All changes of a change set, including nested stacks; an empty list if the change set does not exist.
 * @throws CommandFailed if it has not been created: whether it could lose data is not known
 */
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
      assertCreated(page, of);
      changes.push(...(page.Changes ?? []).flatMap(({ ResourceChange: change }) => change ?? []));
    }
  } catch (error) {
    // CDK deletes a change set without changes.
    if (!(error instanceof ChangeSetNotFoundException)) throw error;
  }
  return changes;
}

/** CloudFormation calls a change set that changes nothing failed, nested ones too. */
const CHANGES_NOTHING = /didn't contain changes|No updates are to be performed/;

function assertCreated(
  { Status = 'CREATE_COMPLETE', StatusReason = 'its changes are not known' }: DescribeChangeSetCommandOutput,
  { ChangeSetName }: { readonly ChangeSetName: string },
): void {
  if (Status === 'CREATE_COMPLETE' || CHANGES_NOTHING.test(StatusReason)) return;
  throw new CommandFailed(`The change set ${ChangeSetName} is ${Status}: ${StatusReason}`);
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
