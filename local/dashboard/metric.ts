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

/** The same text for the same metric, in whatever order its dimensions are. */
export const identityOf = ({ namespace, name, dimensions }: Metric): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
