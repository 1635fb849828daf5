/** A metric by its CloudWatch names, for one line of a panel or for an alarm. */
export interface Measure {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | 'p50' | 'p95' | 'p99';
  readonly label: string;
}

export interface Panel {
  readonly title: string;
  /** The unit of its lines. */
  readonly unit: string;
  readonly lines: readonly Measure[];
}

export type PageName = 'callers' | 'machinery';

/** Dashboards belong to the account, in all its regions, so the name must contain the stage. */
export const dashboardName = (stage: string, page: PageName): string => `Genway-${stage}-${page}`;

/** A dashboard as data, for CloudWatch and for other programs that can read its metrics. */
export interface Page {
  readonly name: PageName;
  /** A text for the reader about the questions that the page answers. */
  readonly text: string;
  readonly rows: readonly (readonly Panel[])[];
}

/** The names of a stage's parts in CloudWatch. */
export interface Plant {
  readonly stage: string;
  readonly api: string;
  /** By what they carry, such as `jobs`. */
  readonly queues: Readonly<Record<string, { readonly name: string; readonly deadLetters: string }>>;
  /** The functions behind queues and schedules, by the names of their bundles. */
  readonly consumers: Readonly<Record<string, string>>;
  readonly sweepers: Readonly<Record<string, string>>;
  /** The sweepers that run once an hour; the others run every minute. */
  readonly hourly: readonly string[];
  /** Whether the stage has a canary, which calls it as callers do. */
  readonly hasCanary: boolean;
  /** The function that receives small uploads. */
  readonly uploader: string;
  /** By what they hold, such as `jobs`. */
  readonly tables: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** The server for large uploads. */
  readonly uploadServer?: {
    readonly loadBalancer: string;
    readonly targetGroup: string;
    readonly cluster: string;
    readonly service: string;
  };
}
