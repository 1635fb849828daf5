import { readFile } from 'node:fs/promises';
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { STACK } from '../deployment/deploy.ts';
import { LocalRunError } from '../failure.ts';
import type { StateFolder } from '../state-folder.ts';
import type { Definition } from './definition.ts';
import { EmulatedCloudWatch } from './emulated-cloudwatch.ts';
import { readSamples } from './metrics-file.ts';
import { QueueDepths } from './queue-depths.ts';
import { programOf } from './samples.ts';
import { isCounted, type Metric, type Sample, Samples } from './series.ts';
import { type Shown, type View, viewOf } from './view.ts';

const runSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    aws: v.object({
      endpoint_url: v.string(),
      region: v.string(),
      access_key_id: v.string(),
      secret_access_key: v.string(),
    }),
  }),
);

/** A local run, as its dashboards see it. */
export interface WatchedRun {
  view(shown: Shown): Promise<View>;
  /** Asks the queues for their numbers of messages. Never fails: if the run has ended, the next view fails. */
  look(now: number): Promise<void>;
}

/**
 * @param keptMilliseconds how far back a view may reach
 * @param interrupted aborts all requests, because a stuck emulator never answers
 * @throws LocalRunError if no run exists
 */
export async function watchRun(
  state: StateFolder,
  keptMilliseconds: number,
  interrupted: AbortSignal,
): Promise<WatchedRun> {
  const text = await readFile(state.runFile, 'utf8').catch((cause) => {
    throw new LocalRunError(
      'No local stage is running: start one with npm start, and open its dashboards beside it.',
      { cause },
    );
  });
  const { aws } = v.parse(runSchema, text);
  const access = {
    endpoint: aws.endpoint_url,
    region: aws.region,
    credentials: { accessKeyId: aws.access_key_id, secretAccessKey: aws.secret_access_key },
  };
  const cloudwatch = new EmulatedCloudWatch(access, () => new Date(), interrupted);
  const depths = new QueueDepths(new SQSClient(access), keptMilliseconds);
  const { definitions, alarms } = await deployed(cloudwatch);
  const lines = [...linesOf(definitions), ...alarms.map(({ line }) => line)];
  const options = { abortSignal: interrupted };
  const lambda = new LambdaClient(access);
  const functions = await functionsByProgram(lambda, lines.filter(isCounted), options);
  let failure: unknown;
  const queues = new Set(lines.flatMap(({ dimensions: { QueueName } }) => QueueName ?? []));
  return {
    async view(shown) {
      if (failure !== undefined) throw failure;
      const samples = [
        ...readSamples(state.metrics).map((one) => ofFunction(one, functions)),
        ...depths.samples,
      ];
      return viewOf(definitions, alarms, new Samples(samples), shown);
    },
    async look(now) {
      failure = await depths.look([...queues], now, options).catch((error: unknown) => error);
    },
  };
}

async function deployed(cloudwatch: EmulatedCloudWatch) {
  try {
    const definitions = await cloudwatch.definitions(STACK);
    const alarms = await cloudwatch.alarms(definitions.flatMap((one) => one.alarms));
    return { definitions, alarms };
  } catch (cause) {
    throw new LocalRunError('The local stage does not answer: start it again with npm start.', { cause });
  }
}

const linesOf = (definitions: readonly Definition[]) =>
  definitions.flatMap(({ panels }) => panels.flatMap(({ lines }) => lines));

/** The names that CloudFormation gave the functions, by program. */
async function functionsByProgram(
  client: LambdaClient,
  lines: readonly Metric[],
  options: { readonly abortSignal: AbortSignal },
): Promise<Map<string, string>> {
  const names = new Set(lines.flatMap(({ dimensions: { FunctionName } }) => FunctionName ?? []));
  const pairs = [...names].map(async (FunctionName): Promise<[string, string]> => {
    const asked = new GetFunctionConfigurationCommand({ FunctionName });
    const { LoggingConfig } = await client.send(asked, options);
    return [programOf(LoggingConfig?.LogGroup ?? ''), FunctionName];
  });
  return new Map(await Promise.all(pairs));
}

/** A run counts calls by program, because it does not know the functions' names. */
function ofFunction(sample: Sample, functions: ReadonlyMap<string, string>): Sample {
  const FunctionName = functions.get(sample.dimensions.FunctionName ?? '');
  return FunctionName === undefined ? sample : { ...sample, dimensions: { FunctionName } };
}
