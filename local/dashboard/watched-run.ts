import { readFile } from 'node:fs/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { STACK } from '../deployment/deploy.ts';
import { LocalRunError } from '../failure.ts';
import type { StateFolder } from '../state-folder.ts';
import type { Definition } from './definition.ts';
import { cloudWatchOf, countsOf, readAlarms, readDefinitions } from './emulated-cloudwatch.ts';
import { readSamples } from './metrics-file.ts';
import { QueueDepths } from './queue-depths.ts';
import { Samples } from './series.ts';
import { isCounted } from './sources.ts';
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
  /** Asks its queues how much they hold. */
  look(now: number): Promise<void>;
}

/**
 * @param keptMilliseconds how far back a view may reach
 * @throws LocalRunError where nothing runs
 */
export async function watchRun(state: StateFolder, keptMilliseconds: number): Promise<WatchedRun> {
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
  const cloudwatch = cloudWatchOf(access);
  const depths = new QueueDepths(new SQSClient(access), keptMilliseconds);
  const definitions = await readDefinitions(cloudwatch, STACK);
  const alarms = await readAlarms(cloudwatch);
  const lines = [...linesOf(definitions), ...alarms.map(({ line }) => line)];
  const functions = lines.filter((line) => line.namespace === 'AWS/Lambda' && isCounted(line));
  const queues = new Set(lines.flatMap(({ dimensions: { QueueName } }) => QueueName ?? []));
  return {
    async view(shown) {
      const counts = await countsOf(cloudwatch, functions, shown.span);
      const samples = [...readSamples(state.metrics), ...counts, ...depths.samples];
      return viewOf(definitions, alarms, new Samples(samples), shown);
    },
    look: (now) => depths.look([...queues], now),
  };
}

const linesOf = (definitions: readonly Definition[]) =>
  definitions.flatMap(({ panels }) => panels.flatMap(({ lines }) => lines));
