import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { STACK } from '../../local/deployment/deploy.ts';
import { stage } from './stage.ts';

/** The names that the emulator gave to the template's resources, by their logical ids. */
export async function physicalIds(): Promise<Map<string, string>> {
  const client = new CloudFormationClient(stage.aws);
  const ids = new Map<string, string>();
  for await (const { StackResourceSummaries = [] } of paginateListStackResources(
    { client },
    { StackName: STACK },
  )) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
      ids.set(LogicalResourceId, PhysicalResourceId);
    }
  }
  return ids;
}
