import {
  CloudWatchClient,
  GetDashboardCommand,
  GetMetricDataCommand,
  paginateDescribeAlarms,
} from '@aws-sdk/client-cloudwatch';
import { SmithyRpcV2CborProtocol } from '@smithy/core/cbor';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { readAlarm, type WatchedAlarm } from './alarm.ts';
import { type Definition, readDefinition } from './definition.ts';
import { identityOf, type Metric, type Sample } from './metric.ts';
import type { Span } from './series.ts';

/** As many as CloudWatch answers at once. */
const MOST_QUERIES = 500;
const MINUTE_SECONDS = 60;
/** As `lib/monitoring/` names them. */
const PAGES = ['callers', 'machinery'] as const;

/** In JSON, which the client prefers, the emulator writes times as CloudWatch does not. */
export const cloudWatchOf = (access: AwsAccess): CloudWatchClient =>
  new CloudWatchClient({ ...access, protocol: SmithyRpcV2CborProtocol });

/** Dashboards of a stack, as they were deployed. */
export function readDefinitions(client: CloudWatchClient, stack: string): Promise<Definition[]> {
  return Promise.all(
    PAGES.map(async (page) => {
      const DashboardName = `${stack}-${page}`;
      const { DashboardBody = '' } = await client.send(new GetDashboardCommand({ DashboardName }));
      return readDefinition(DashboardName, DashboardBody);
    }),
  );
}

export async function readAlarms(client: CloudWatchClient): Promise<WatchedAlarm[]> {
  const alarms: WatchedAlarm[] = [];
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client }, {})) {
    alarms.push(...MetricAlarms.map(readAlarm));
  }
  return alarms;
}

/** The emulator's counts, a sum for each minute. */
export async function countsOf(
  client: CloudWatchClient,
  metrics: readonly Metric[],
  { from, to }: Span,
): Promise<Sample[]> {
  const different = [...new Map(metrics.map((metric) => [identityOf(metric), metric])).values()];
  const samples: Sample[] = [];
  for (let begin = 0; begin < different.length; begin += MOST_QUERIES) {
    const some = different.slice(begin, begin + MOST_QUERIES);
    const { MetricDataResults = [] } = await client.send(
      new GetMetricDataCommand({
        StartTime: new Date(from),
        EndTime: new Date(to),
        MetricDataQueries: some.map((metric, index) => ({ Id: `m${index}`, MetricStat: sumOf(metric) })),
      }),
    );
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      const metric = some[Number(Id.slice(1))];
      if (metric === undefined) continue;
      samples.push(
        ...Timestamps.map((at, index) => ({ ...metric, at: at.getTime(), value: Values[index] ?? 0 })),
      );
    }
  }
  return samples;
}

const sumOf = ({ namespace, name, dimensions }: Metric) => ({
  Metric: {
    Namespace: namespace,
    MetricName: name,
    Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
  },
  Period: MINUTE_SECONDS,
  Stat: 'Sum',
});
