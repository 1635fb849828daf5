import { NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/**
 * The log of one program, as `/<stack>/<program>`. All are in a template of their own, as the 500 resources of a stack
 * are for what does the work, and have names, so that nothing needs to be passed from there.
 */
export function logGroupOf(scope: Construct, program: string, { logRetentionDays }: StageConfig): ILogGroup {
  const logs = logsOf(Stack.of(scope));
  const logGroupName = `/${Stack.of(scope).stackName}/${program}`;
  new LogGroup(logs, program, {
    logGroupName,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return LogGroup.fromLogGroupName(scope, `${program}-log`, logGroupName);
}

/** What a program must wait for, to be able to write its log. */
export function logsOf(stack: Stack): NestedStack {
  const logs = stack.node.tryFindChild('Logs');
  if (NestedStack.isNestedStack(logs)) return logs;
  return new NestedStack(stack, 'Logs', { description: `Log groups of ${stack.stackName}` });
}
