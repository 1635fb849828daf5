import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  GetEventSourceMappingCommand,
  GetFunctionConfigurationCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import type { DrilledStage } from './drilled-stage.ts';

const OLD = 'old-poll-videos';
const LOGS = `/${OLD}`;

const feedsSchema = v.pipe(v.string(), v.parseJson(), v.looseObject({ 'poll-videos': v.string() }));

/** The poller of the version that is deployed, as it goes on beside the next one: as in a deployment by tenths. */
export interface OldWorker {
  /** Its log group, and that of the next version. */
  readonly logs: string;
  readonly replacement: string;
  remove(): Promise<void>;
}

/** @param checkout of the version that is deployed */
export async function keepOldWorker(stage: DrilledStage, checkout: string): Promise<OldWorker> {
  const lambda = new LambdaClient(stage.aws);
  const { 'poll-videos': UUID } = v.parse(feedsSchema, stage.outputs.Feeds);
  const feed = await lambda.send(new GetEventSourceMappingCommand({ UUID }));
  const FunctionName = feed.FunctionArn?.split(':')[6] ?? '';
  const deployed = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const code = readFileSync(join(checkout, 'dist/functions/poll-videos/index.mjs'));
  await lambda.send(
    new CreateFunctionCommand({
      FunctionName: OLD,
      Code: { ZipFile: zipSync({ 'index.mjs': code }, { level: 0 }) },
      Role: deployed.Role,
      Handler: deployed.Handler,
      Runtime: deployed.Runtime,
      Architectures: deployed.Architectures,
      Timeout: deployed.Timeout,
      MemorySize: deployed.MemorySize,
      Environment: { Variables: deployed.Environment?.Variables },
      LoggingConfig: { LogGroup: LOGS },
    }),
  );
  const { UUID: oldFeed } = await lambda.send(
    new CreateEventSourceMappingCommand({
      FunctionName: OLD,
      EventSourceArn: feed.EventSourceArn,
      BatchSize: feed.BatchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  );
  return {
    logs: LOGS,
    replacement: deployed.LoggingConfig?.LogGroup ?? '',
    remove: async () => {
      await lambda.send(new DeleteEventSourceMappingCommand({ UUID: oldFeed }));
      await lambda.send(new DeleteFunctionCommand({ FunctionName: OLD }));
      const logs = new CloudWatchLogsClient(stage.aws);
      await logs.send(new DeleteLogGroupCommand({ logGroupName: LOGS }));
    },
  };
}
