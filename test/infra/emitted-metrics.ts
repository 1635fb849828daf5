import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as v from 'valibot';

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    _aws: v.object({
      CloudWatchMetrics: v.array(
        v.object({
          Namespace: v.string(),
          Dimensions: v.array(v.array(v.string())),
          Metrics: v.array(v.object({ Name: v.string() })),
        }),
      ),
    }),
  }),
);

/**
 * All metrics that a stage's programs can emit, as CloudWatch reads them from the log: every function of
 * `functions/telemetry/metrics.ts` with every possible value.
 */
export async function emittedMetrics(namespace: string): Promise<string[]> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'emit-metrics.ts')],
    { env: { METRICS_NAMESPACE: namespace, POWERTOOLS_SERVICE_NAME: 'any' }, encoding: 'utf8' },
  );
  if (stderr !== '') throw new Error(stderr);
  const names = stdout
    .trim()
    .split('\n')
    .flatMap((text) => {
      const line = v.parse(lineSchema, text);
      return line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
        Metrics.flatMap(({ Name }) =>
          Dimensions.map((dimensions) => {
            const values = Object.fromEntries(dimensions.map((dimension) => [dimension, line[dimension]]));
            return `${Namespace} ${Name} ${JSON.stringify(values)}`;
          }),
        ),
      );
    });
  return [...new Set(names)].toSorted();
}
