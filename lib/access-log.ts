import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat, LogGroupLogDestination, type StageOptions } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

/** Never the query string, nor a header but the client's name: a caller may put a key into either by mistake. */
const FIELDS = {
  request_id: '$context.requestId',
  time: '$context.requestTimeEpoch',
  ip: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  bytes: '$context.responseLength',
  milliseconds: '$context.responseLatency',
  function_status: '$context.integration.status',
  function_milliseconds: '$context.integration.latency',
  gateway_error: '$context.error.responseType',
};

/** A line for each request, also for those that API Gateway answers by itself. */
export function accessLog(scope: Construct, { logRetentionDays }: StageConfig): StageOptions {
  const group = new LogGroup(scope, 'AccessLog', {
    // Beside those of the programs, so that questions to the stage's logs are asked of it too.
    logGroupName: `/${Stack.of(scope).stackName}/access-log`,
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return {
    accessLogDestination: new LogGroupLogDestination(group),
    accessLogFormat: AccessLogFormat.custom(JSON.stringify(FIELDS)),
  };
}
