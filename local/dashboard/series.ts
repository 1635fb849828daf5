import { identityOf, type Metric, type Sample } from './metric.ts';

/** A metric as a panel draws it, or an alarm watches it. */
export interface Line extends Metric {
  /** `Sum`, `Average`, `Maximum`, `Minimum`, or a percentile as `p99`. */
  readonly statistic: string;
  readonly periodSeconds: number;
}

/** From `from` on, and before `to`; milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The beginning of a period, and its number. */
export type Point = readonly [at: number, value: number];

/** Samples by their metrics. */
export class Samples {
  readonly #byMetric: ReadonlyMap<string, readonly Sample[]>;

  /** When the first was taken. */
  readonly since: number | undefined;

  constructor(samples: readonly Sample[]) {
    this.#byMetric = Map.groupBy(samples, identityOf);
    this.since = samples.reduce<number | undefined>((first, { at }) => Math.min(first ?? at, at), undefined);
  }

  /** A point for each period in which something was counted, as CloudWatch makes them. */
  series(line: Line, { from, to }: Span): Point[] {
    const period = line.periodSeconds * 1000;
    const samples = this.#byMetric.get(identityOf(line)) ?? [];
    const within = samples.filter(({ at }) => at >= from && at < to);
    const periods = Map.groupBy(within, ({ at }) => Math.floor(at / period) * period);
    return [...periods]
      .map(
        ([at, some]): Point => [
          at,
          statisticOf(
            line.statistic,
            some.map(({ value }) => value),
          ),
        ],
      )
      .toSorted(([one], [other]) => one - other);
  }
}

/** @param values at least one */
export function statisticOf(statistic: string, values: readonly number[]): number {
  if (statistic === 'Sum') return sum(values);
  if (statistic === 'Average') return sum(values) / values.length;
  if (statistic === 'Maximum') return values.reduce((most, value) => Math.max(most, value));
  if (statistic === 'Minimum') return values.reduce((least, value) => Math.min(least, value));
  const [, percent] = /^p(\d+(?:\.\d+)?)$/.exec(statistic) ?? [];
  if (percent === undefined) throw new Error(`No statistic that a dashboard draws here: ${statistic}`);
  return percentile(Number(percent), values);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The least value that so many percent of all do not exceed. */
function percentile(percent: number, values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
