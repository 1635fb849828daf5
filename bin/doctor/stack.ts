import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
  type Stack,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';
import { type Finding, fault, note, ok } from './finding.ts';

/** Undefined if there is no stack of this name. */
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

/** Why the first creation of a stack has failed: the first resource of its own or of a nested stack that did. */
interface FirstFailure {
  readonly logicalId: string;
  readonly type: string;
  readonly reason: string;
}

/** The states of a stack that was never there as a whole. */
const NEVER_CREATED = /^(CREATE_FAILED|ROLLBACK_)/;

/** What ended its first deployment; undefined if that did not fail. */
export async function findFailure(
  stack: Stack | undefined,
  region: string,
): Promise<FirstFailure | undefined> {
  if (stack?.StackId === undefined || !wasNever(stack)) return undefined;
  return firstFailure(new CloudFormationClient({ region }), stack.StackId);
}

const NESTED = 'AWS::CloudFormation::Stack';

async function firstFailure(
  client: CloudFormationClient,
  stackId: string,
): Promise<FirstFailure | undefined> {
  const failed: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: stackId })) {
    failed.push(...StackEvents.filter(isCause));
  }
  // The events come newest first.
  const event = failed.findLast(({ PhysicalResourceId }) => PhysicalResourceId !== stackId);
  if (event === undefined) return undefined;
  const { LogicalResourceId = '', ResourceType = '', ResourceStatusReason = '', PhysicalResourceId } = event;
  const inner =
    ResourceType === NESTED && PhysicalResourceId
      ? await firstFailure(client, PhysicalResourceId)
      : undefined;
  return inner ?? { logicalId: LogicalResourceId, type: ResourceType, reason: ResourceStatusReason };
}

/** What was still being created when another part failed is cancelled, and says so. */
const isCause = ({ ResourceStatus, ResourceStatusReason = '' }: StackEvent): boolean =>
  ResourceStatus === 'CREATE_FAILED' && !/^Resource creation cancelled/i.test(ResourceStatusReason);

/** Checks whether the existing stack, if any, can be deployed to. */
export function judgeStack(
  { name, region }: { readonly name: string; readonly region: string },
  stack: Stack | undefined,
  failure?: FirstFailure,
): Finding {
  const status = stack?.StackStatus;
  // A change set was prepared but not executed, so the stack has no resources.
  if (status === undefined || status === 'REVIEW_IN_PROGRESS')
    return ok('stack', `${name} does not exist yet: the first deployment creates it`);
  if (status.endsWith('_IN_PROGRESS'))
    return note('stack', `${name} is ${status}: wait until the operation ends`);
  if (NEVER_CREATED.test(status)) {
    return fault('stack', [...failureLines(name, failure), ...deletion(name, region, stack)].join('\n'));
  }
  if (status === 'DELETE_FAILED') {
    const command = `aws cloudformation delete-stack --region ${region} --deletion-mode FORCE_DELETE_STACK --stack-name ${name}`;
    return fault(
      'stack',
      `The deletion of ${name} failed; the events of the stack say why. Delete the stack again. If that fails too, force the deletion, which leaves behind what cannot be deleted. To force it, run:\n${command}`,
    );
  }
  if (status.endsWith('_FAILED')) {
    const action = status === 'UPDATE_FAILED' ? 'rollback-stack' : 'continue-update-rollback';
    const command = `aws cloudformation ${action} --region ${region} --stack-name ${name}`;
    return fault(
      'stack',
      `${name} is ${status}; the events of the stack say why. To roll back the update, run:\n${command}`,
    );
  }
  return ok('stack', `${name} is ${status}`);
}

function failureLines(name: string, failure: FirstFailure | undefined): string[] {
  if (failure === undefined)
    return [`The first deployment of ${name} failed; the events of the stack say why.`];
  const { logicalId, type, reason } = failure;
  return [
    `The first deployment of ${name} failed at ${logicalId} (${type}): ${reason}`,
    KNOWN.find(([message]) => message.test(reason))?.[1] ?? 'If the cause may be temporary, deploy again.',
  ];
}

/** Whether the next deployment is the stage's first one. */
export const isFirst = (stack: Stack | undefined): boolean =>
  stack === undefined || /^(REVIEW_IN_PROGRESS|DELETE_)/.test(stack.StackStatus ?? '') || wasNever(stack);

const wasNever = ({ StackStatus }: Stack): boolean => NEVER_CREATED.test(StackStatus ?? '');

/** What AWS says, and what to do about it. docs/first-deployment.md tells more of each. */
const KNOWN: readonly (readonly [message: RegExp, advice: string])[] = [
  [
    /must be verified/i,
    'Ask AWS to verify the account for CloudFront: open a support case of the type “account and billing”, which is free.',
  ],
  [
    /UnreservedConcurrentExecution/,
    'The account’s limit on concurrent executions is too low: lower or remove reservedConcurrency, or ask AWS to raise the limit.',
  ],
  [
    /VpcLimitExceeded|number of VPCs/i,
    'Delete an unused VPC, set vpc to an existing one, or ask AWS for a higher quota.',
  ],
  [
    /already exists|AlreadyExists/,
    'Another resource has that name, usually one of an earlier deployment: see “leftovers”. If it is not listed there and nobody needs it, delete it.',
  ],
  [
    /AccessDenied\w{0,20}: see the log of the Lambda function/,
    'A permission may not have taken effect yet: deploy again. If it fails again, check the policies of the organization.',
  ],
  [
    /AccessDenied|UnauthorizedOperation|not authorized|explicit deny/i,
    'A policy does not allow the CloudFormation execution role to do that: check the service control policies of the organization, and the execution policies of the CDK bootstrap.',
  ],
  [
    /circuit breaker|stabiliz/i,
    'The usual cause is that the upload server did not start: its image could not be pulled or run. Deploy with "largeUploads": "off" first, and then with "fargate": if the server fails again, only that change is rolled back.',
  ],
  [/throttl|rate exceeded|too many requests/i, 'AWS throttled the deployment: deploy again.'],
  [/limit|quota|too many/i, 'Ask AWS for a higher quota, or delete unused resources.'],
];

/** CDK protects the stack of a stage that keeps its data before anything is in it. */
function deletion(name: string, region: string, stack: Stack | undefined): string[] {
  const command = (action: string) => `aws cloudformation ${action} --region ${region} --stack-name ${name}`;
  return [
    stack?.StackStatus === 'CREATE_FAILED'
      ? 'To continue, run the same cdk deploy command again, with --no-rollback. To start again, delete the stack, which contains no data:'
      : 'Before you deploy again, delete the stack, which contains no data:',
    ...(stack?.EnableTerminationProtection
      ? [command('update-termination-protection --no-enable-termination-protection')]
      : []),
    command('delete-stack'),
    command('wait stack-delete-complete'),
  ];
}
