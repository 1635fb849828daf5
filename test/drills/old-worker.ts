import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  CreateEventSourceMappingCommand,
  CreateFunctionCommand,
  DeleteEventSourceMappingCommand,
  DeleteFunctionCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { zipSync } from 'fflate';
import type { DrilledStage } from './drilled-stage.ts';

const OLD = 'old-poll-videos';
const LOGS = `/${OLD}`;

/** The old version's poller. It keeps running beside the new one, as in a gradual deployment. */
export interface OldWorker {
  /** The log groups of the old and of the new poller. */
  readonly logs: string;
  readonly replacement: string;
  /** Lets the new poller work too. */
  join(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Begins with the old poller alone, because the emulator offers each message to the older feed first, and only what that
 * leaves to the other.
 * @param checkout the version that is deployed
 */
export async function keepOldWorker(stage: DrilledStage, checkout: string): Promise<OldWorker> {
  const lambda = new LambdaClient(stage.aws);
  const deployed = await stage.function('poll-videos');
  const { EventSourceMappings: [feed] = [] } = await lambda.send(
    new ListEventSourceMappingsCommand({ FunctionName: deployed.FunctionName }),
  );
  const bundle = join(checkout, 'dist/functions/poll-videos');
  const files = readdirSync(bundle).map((name) => [name, readFileSync(join(bundle, name))]);
  await lambda.send(
    new CreateFunctionCommand({
      FunctionName: OLD,
      Code: { ZipFile: zipSync(Object.fromEntries(files), { level: 0 }) },
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
      EventSourceArn: feed?.EventSourceArn,
      BatchSize: feed?.BatchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    }),
  );
  const enable = (Enabled: boolean) =>
    lambda.send(new UpdateEventSourceMappingCommand({ UUID: feed?.UUID, Enabled }));
  await enable(false);
  return {
    logs: LOGS,
    replacement: deployed.LoggingConfig?.LogGroup ?? '',
    join: async () => void (await enable(true)),
    remove: async () => {
      await lambda.send(new DeleteEventSourceMappingCommand({ UUID: oldFeed }));
      await lambda.send(new DeleteFunctionCommand({ FunctionName: OLD }));
      const logs = new CloudWatchLogsClient(stage.aws);
      await logs.send(new DeleteLogGroupCommand({ logGroupName: LOGS }));
    },
  };
}
