import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { type Finding, fault, note, ok } from './finding.ts';

/** What the stacks of today's CDK ask for; `cdk bootstrap` makes a far later one. */
const OLDEST_BOOTSTRAP = 6;

export interface AskedPlace {
  readonly account: string;
  readonly region: string;
}

/** Undefined where there is none of this name. */
export async function findStack(StackName: string, region: string): Promise<Stack | undefined> {
  try {
    const { Stacks } = await new CloudFormationClient({ region }).send(
      new DescribeStacksCommand({ StackName }),
    );
    return Stacks?.[0];
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** The CDK's own bucket, repository and roles. */
export function judgeBootstrap(toolkit: Stack | undefined, { account, region }: AskedPlace): Finding {
  const command = `npx cdk bootstrap aws://${account}/${region}`;
  if (toolkit === undefined) return fault('bootstrap', `Not done here yet: ${command}`);
  const told = toolkit.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion')?.OutputValue;
  const version = Number(told ?? 0);
  if (version >= OLDEST_BOOTSTRAP) return ok('bootstrap', `version ${version}`);
  return fault('bootstrap', `Version ${version} is older than ${OLDEST_BOOTSTRAP}: ${command}`);
}

/** Whether what is deployed, if anything, can be deployed to. */
export function judgeStack(name: string, stack: Stack | undefined): Finding {
  const status = stack?.StackStatus;
  // A change set has been prepared for it, and not executed: nothing is there.
  if (status === undefined || status === 'REVIEW_IN_PROGRESS')
    return ok('stack', `${name} is not there yet: the first deployment makes it`);
  if (status === 'ROLLBACK_COMPLETE' || status === 'ROLLBACK_FAILED') {
    return fault('stack', `The first deployment of ${name} failed. Delete the stack, then deploy again`);
  }
  if (status.endsWith('_IN_PROGRESS')) return note('stack', `${name} is ${status}: wait until it has ended`);
  if (status === 'DELETE_FAILED') {
    return fault('stack', `The deletion of ${name} failed, as its events say: repeat it, then deploy`);
  }
  if (status.endsWith('_FAILED')) {
    return fault('stack', `${name} is ${status}: npx cdk rollback ${name} takes it back to what it was`);
  }
  return ok('stack', `${name} is ${status}`);
}
