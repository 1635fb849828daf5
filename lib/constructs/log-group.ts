import { NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { type ILogGroup, LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

/**
 * The log group of one program, `/<stack>/<program>`. All log groups are in a separate template, to save the 500
 * resources of the stack for the rest. They have fixed names, so that the templates need no references.
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

/** What a program must depend on to be able to write its log. */
export function logsOf(stack: Stack): NestedStack {
  const logs = stack.node.tryFindChild('Logs');
  if (NestedStack.isNestedStack(logs)) return logs;
  return new NestedStack(stack, 'Logs', { description: `Log groups of ${stack.stackName}` });
}
