/** The names that identify a metric in CloudWatch. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** One counted value. */
export interface Sample extends Metric {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

/** A metric with the statistic that a panel draws. */
export interface Line extends Metric {
  /** `Sum`, `Average`, `Maximum`, `Minimum`, or a percentile such as `p99`. */
  readonly statistic: string;
}

/** From `from` (inclusive) to `to` (exclusive), in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The beginning of a period, and its value. */
export type Point = readonly [at: number, value: number];

/** Samples, grouped by metric. */
export class Samples {
  readonly #byMetric: ReadonlyMap<string, readonly Sample[]>;

  constructor(samples: readonly Sample[]) {
    this.#byMetric = Map.groupBy(samples, identityOf);
  }

  /** One point for each period with samples, as CloudWatch makes them. */
  series(line: Line, { from, to }: Span, periodSeconds: number): Point[] {
    const period = periodSeconds * 1000;
    const samples = this.#byMetric.get(identityOf(line)) ?? [];
    const within = samples.filter(({ at }) => at >= from && at < to);
    const periods = Map.groupBy(within, ({ at }) => Math.floor(at / period) * period);
    const points = [...periods].map(([at, counted]): Point => {
      const values = counted.map(({ value }) => value);
      return [at, statisticOf(line.statistic, values)];
    });
    return points.toSorted(([a], [b]) => a - b);
  }
}

/** The same text for the same metric, in whatever order its dimensions are. */
const identityOf = ({ namespace, name, dimensions }: Metric): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);

const ENDS: Readonly<Record<string, string>> = { Minimum: 'p0', Maximum: 'p100' };

/** @param values at least one */
export function statisticOf(statistic: string, values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  if (statistic === 'Sum') return sum;
  if (statistic === 'Average') return sum / values.length;
  const [, percent] = /^p(\d+(?:\.\d+)?)$/.exec(ENDS[statistic] ?? statistic) ?? [];
  if (percent === undefined) throw new Error(`No statistic that a dashboard draws here: ${statistic}`);
  // The smallest value that at least this percentage of all values does not exceed.
  const place = Math.max(0, Math.ceil((Number(percent) / 100) * values.length) - 1);
  return values.toSorted((a, b) => a - b)[place] ?? Number.NaN;
}

/** AWS's own metrics that a local run can count, and who counts them instead of AWS. */
const COUNTED_HERE: Readonly<Record<string, { readonly by: string; readonly names: readonly string[] }>> = {
  'AWS/ApiGateway': { by: 'Counted by the local edge', names: ['5XXError', 'Latency'] },
  'AWS/Lambda': { by: 'Counted in the emulator’s logs', names: ['Invocations'] },
  'AWS/SQS': {
    by: 'Read from the emulator’s queues while this page is served',
    names: ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesDelayed'],
  },
};

/** Our own metrics are lines of the programs' logs, locally and on AWS. */
export const isCounted = ({ namespace, name }: Metric): boolean =>
  !namespace.startsWith('AWS/') || COUNTED_HERE[namespace]?.names.includes(name) === true;

/** Who counts the metric here. Undefined if a stage on AWS counts it in the same way. */
export const countedBy = ({ namespace }: Metric): string | undefined => COUNTED_HERE[namespace]?.by;
