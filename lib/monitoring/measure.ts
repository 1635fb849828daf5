/** One line of a panel, or what an alarm watches: a metric by the names that CloudWatch knows it by. */
export interface Measure {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Average' | 'Maximum' | 'Minimum' | 'p50' | 'p95' | 'p99';
  readonly label: string;
}

export interface Panel {
  readonly title: string;
  /** What its lines count in. */
  readonly unit: string;
  readonly lines: readonly Measure[];
}

/** A dashboard as data: CloudWatch draws it, and whatever else can ask CloudWatch for metrics. */
export interface Page {
  readonly name: string;
  /** What it answers, for whoever opens it. */
  readonly text: string;
  readonly rows: readonly (readonly Panel[])[];
}

/** The parts of a stage by the names that CloudWatch has for them. */
export interface Plant {
  readonly stage: string;
  readonly api: string;
  /** By what they carry, as `jobs`. */
  readonly queues: Readonly<Record<string, { readonly name: string; readonly deadLetters: string }>>;
  /** The functions that work behind the queues, and by the clock; by the names of their bundles. */
  readonly consumers: Readonly<Record<string, string>>;
  readonly sweepers: Readonly<Record<string, string>>;
  /** Of the sweepers, those that run once an hour; the others run every minute. */
  readonly hourly: readonly string[];
  /** Whether something calls the stage as its callers do. */
  readonly hasCanary: boolean;
  /** The function that receives small uploads. */
  readonly uploader: string;
  /** By what they hold, as `jobs`. */
  readonly tables: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
  /** Where large uploads go. */
  readonly uploadServer?: {
    readonly loadBalancer: string;
    readonly targetGroup: string;
    readonly cluster: string;
    readonly service: string;
  };
}
