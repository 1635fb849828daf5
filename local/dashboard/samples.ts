import * as v from 'valibot';
import type { AnsweredRequest } from '../edge/answered-request.ts';
import type { FunctionLogLine } from '../logs/log-lines.ts';
import type { Sample } from './series.ts';

/** A log line with metrics, in CloudWatch's embedded metric format. */
const metricLineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    _aws: v.object({
      Timestamp: v.number(),
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

/** A log group is named `/<stack>/<program>`. */
export const programOf = (logGroup: string): string => logGroup.slice(logGroup.lastIndexOf('/') + 1);

/**
 * What CloudWatch would count for a log line. A line with metrics counts each metric once for each of its sets of
 * dimensions. The runtime's own line about a call counts the call.
 */
export function samplesOfLine({ logGroup, time, text }: FunctionLogLine): Sample[] {
  if (text.startsWith('REPORT RequestId: ')) {
    const dimensions = { FunctionName: programOf(logGroup) };
    return [{ namespace: 'AWS/Lambda', name: 'Invocations', dimensions, at: time, value: 1 }];
  }
  if (!text.includes('"CloudWatchMetrics"')) return [];
  const line = v.safeParse(metricLineSchema, text);
  if (!line.success) return [];
  const { _aws, ...fields } = line.output;
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.flatMap(({ Name }) => {
      const values = [fields[Name]].flat().filter((value) => typeof value === 'number');
      return Dimensions.flatMap((names) => {
        const dimensions = Object.fromEntries(names.map((name) => [name, String(fields[name])]));
        const metric = { namespace: Namespace, name: Name, dimensions, at: _aws.Timestamp };
        return values.map((value) => ({ ...metric, value }));
      });
    }),
  );
}

/** The metrics that API Gateway would count for a request. The local edge in front of it has seen the request. */
export function samplesOfRequest(request: AnsweredRequest, api: string, at: number): Sample[] {
  const { path, status, milliseconds } = request;
  if (!path.startsWith('/api/') || status === undefined) return [];
  const metric = { namespace: 'AWS/ApiGateway', dimensions: { ApiName: api }, at };
  return [
    { ...metric, name: 'Latency', value: milliseconds },
    { ...metric, name: '5XXError', value: status >= 500 ? 1 : 0 },
  ];
}
