/** A metric by the names that CloudWatch knows it by. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** One number that was counted. */
export interface Sample extends Metric {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

/** The same for the same metric, in whatever order its dimensions are named. */
export const identityOf = ({ namespace, name, dimensions }: Metric): string =>
  JSON.stringify([namespace, name, Object.entries(dimensions).toSorted()]);
