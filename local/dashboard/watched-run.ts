import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { signedFetch } from '../../functions/aws/signatures.ts';
import { STACK } from '../deployment/deploy.ts';
import { type AwsAccess, accessToRun } from '../emulator/aws-access.ts';
import { LocalRunError } from '../system/failure.ts';
import type { StateFolder } from '../system/state-folder.ts';
import { readSamples } from './metrics-file.ts';
import { programOf } from './samples.ts';
import { isCounted, type Metric, type Sample, Samples } from './series.ts';
import { type Definition, readDefinition, type Shown, type View, viewOf } from './view.ts';

/** A local run, as its dashboards see it. */
export interface WatchedRun {
  view(shown: Shown): Promise<View>;
  /** Asks the queues for their numbers of messages, which nobody else counts. */
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
  const access = await accessToRun(state);
  const definitions = await deployedDashboards(access, interrupted).catch((cause) => {
    throw new LocalRunError('The local stage does not respond. Stop it with Ctrl-C and start it again.', {
      cause,
    });
  });
  const lines = definitions.flatMap(({ panels }) => panels.flatMap((panel) => panel.lines)).filter(isCounted);
  const functions = await functionsByProgram(access, lines, interrupted);
  const queues = [...new Set(lines.flatMap(({ dimensions: { QueueName } }) => QueueName ?? []))];
  const sqs = new SQSClient(access);
  let depths: readonly Sample[] = [];
  const look = async (now: number) => {
    const found = await Promise.all(queues.map((queue) => depthsOf(sqs, queue, now, interrupted)));
    depths = [...depths.filter(({ at }) => at > now - keptMilliseconds), ...found.flat()];
  };
  return {
    look,
    async view(shown) {
      // Fails if the run has ended: its last numbers would look like those of now.
      await look(shown.span.to);
      const counted = readSamples(state.metrics).map((one) => ofFunction(one, functions));
      return viewOf(definitions, new Samples([...counted, ...depths]), shown);
    },
  };
}

/** One request does not need the SDK's client of CloudWatch, a package of its own. */
async function deployedDashboards(access: AwsAccess, signal: AbortSignal): Promise<Definition[]> {
  const now = () => new Date();
  const send = signedFetch(fetch, 'monitoring', { ...access, now });
  const read = async (DashboardName: string) => {
    const answer = await send(access.endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'GraniteServiceVersion20100801.GetDashboard',
      },
      body: JSON.stringify({ DashboardName }),
      signal,
    });
    const { DashboardBody } = v.parse(v.object({ DashboardBody: v.string() }), await answer.json());
    return readDefinition(DashboardName, DashboardBody);
  };
  // The names that `lib/monitoring/` gives them.
  return Promise.all([`${STACK}-callers`, `${STACK}-machinery`].map(read));
}

/** The names that CloudFormation gave the functions, by program. */
async function functionsByProgram(
  access: AwsAccess,
  lines: readonly Metric[],
  abortSignal: AbortSignal,
): Promise<Map<string, string>> {
  const lambda = new LambdaClient(access);
  const names = new Set(lines.flatMap(({ dimensions: { FunctionName } }) => FunctionName ?? []));
  const pairs = [...names].map(async (FunctionName): Promise<[string, string]> => {
    const asked = new GetFunctionConfigurationCommand({ FunctionName });
    const { LoggingConfig } = await lambda.send(asked, { abortSignal });
    return [programOf(LoggingConfig?.LogGroup ?? ''), FunctionName];
  });
  return new Map(await Promise.all(pairs));
}

/** A run counts calls by program, because it does not know the functions' names. */
function ofFunction(sample: Sample, functions: ReadonlyMap<string, string>): Sample {
  const FunctionName = functions.get(sample.dimensions.FunctionName ?? '');
  return FunctionName === undefined ? sample : { ...sample, dimensions: { FunctionName } };
}

/** How many messages a queue has, as CloudWatch counts them. */
export async function depthsOf(
  sqs: SQSClient,
  QueueName: string,
  at: number,
  abortSignal: AbortSignal,
): Promise<Sample[]> {
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }), { abortSignal });
  const asked = new GetQueueAttributesCommand({
    QueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesDelayed'],
  });
  const { Attributes = {} } = await sqs.send(asked, { abortSignal });
  const sample = (name: string, value = '0') => {
    return { namespace: 'AWS/SQS', name, dimensions: { QueueName }, at, value: Number(value) };
  };
  return [
    sample('ApproximateNumberOfMessagesVisible', Attributes.ApproximateNumberOfMessages),
    sample('ApproximateNumberOfMessagesDelayed', Attributes.ApproximateNumberOfMessagesDelayed),
  ];
}
