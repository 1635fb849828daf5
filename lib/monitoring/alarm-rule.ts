import { failedShare, type Measure, ofApi, type PageName, type Panel, type Plant } from './measures.ts';

/** `page` wakes somebody up, because callers notice now. `ticket` is for working hours. */
export type Severity = 'page' | 'ticket';

/** The headings of `docs/runbook.md` to which alarms point, and the dashboard that shows most about each. */
export const dashboardOf = {
  'Requests fail with server errors': 'callers',
  'The canary fails': 'callers',
  'A message has failed five times': 'machinery',
  'A queue is falling behind': 'machinery',
  'A worker or a sweeper fails': 'machinery',
  'A worker is throttled': 'machinery',
  'A sweeper does not run': 'machinery',
  'A job or an event has been quarantined': 'machinery',
  'A row cannot be read': 'machinery',
  'Rows contradict each other': 'machinery',
  'A provider refuses the stage’s key': 'callers',
  'A provider fails': 'callers',
  'A provider’s callbacks have stopped': 'callers',
  'A provider charges more than the catalogue says': 'callers',
  'A table is throttled': 'machinery',
  'The upload server is down': 'machinery',
  'The upload server fails': 'machinery',
} as const satisfies Record<string, PageName>;
export type RunbookPage = keyof typeof dashboardOf;

export interface Condition {
  readonly measure: Measure;
  /** Set if values over this, or under `under`, are bad. */
  readonly over?: number;
  readonly under?: number;
  readonly minutes: number;
  /** How many of the latest periods must be bad. @default the latest one */
  readonly periods?: readonly [count: number, of: number];
  /** @default missing values are good: no requests and no messages are no failures */
  readonly missing?: 'breaching';
}

export interface AlarmRule {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly page: RunbookPage;
  /** The name of the queue to look into. @default the alarm is about no queue */
  readonly queue?: string;
  /** All of them must be true at once. */
  readonly conditions: readonly Condition[];
}

/** The period of a panel. The threshold of a sum is only right for the same period. */
const PANEL_MINUTES = 5;

interface Threshold {
  readonly label: string;
  readonly value: number;
}

/** The thresholds of alarms on a panel's metrics. Thresholds of zero are left out, because they are on the axis. */
export function thresholdsOf({ lines }: Panel, rules: readonly AlarmRule[]): Threshold[] {
  const drawn = new Set(lines.map(identity));
  const conditions = rules.flatMap((rule) => rule.conditions);
  const labels = conditions
    .filter(({ measure }) => drawn.has(identity(measure)))
    .filter(({ measure, minutes }) => measure.statistic !== 'Sum' || minutes === PANEL_MINUTES)
    .flatMap(({ over, under }): [string, number][] => {
      if (over !== undefined && over > 0) return [[`alarm over ${shown(over)}`, over]];
      return under === undefined ? [] : [[`alarm under ${shown(under)}`, under]];
    });
  return [...new Map(labels)].map(([label, value]) => ({ label, value }));
}

/** Rounds, because a product of shares has meaningless digits. */
const shown = (value: number): number => Number(value.toPrecision(6));

const identity = ({ namespace, name, dimensions, statistic }: Measure): string =>
  JSON.stringify([namespace, name, dimensions, statistic]);

/** The share of a month's requests that may fail. */
const OBJECTIVE = 0.001;

/** More than this number of requests must have failed, even if there were few requests. */
const FEWEST_FAILURES = 9;

/**
 * How fast the month's error budget is used up. Each rule looks at a long period, so that a short problem raises no
 * alarm, and at a short one, so that the alarm ends with the problem. (Site Reliability Workbook, chapter 5.) API Gateway
 * keeps the share of failures as an average, so no metric math is needed.
 */
export function burnRates({ api }: Plant): AlarmRule[] {
  const windows = [
    {
      id: 'BurnFast',
      severity: 'page',
      rate: 14.4,
      long: 60,
      short: 5,
      means: '2% of the monthly error budget in an hour',
    },
    {
      id: 'BurnSlow',
      severity: 'page',
      rate: 6,
      long: 360,
      short: 30,
      means: '5% of the monthly error budget in 6 hours',
    },
    {
      id: 'BurnSteady',
      severity: 'ticket',
      rate: 3,
      long: 1440,
      short: 120,
      means: '10% of the monthly error budget in a day',
    },
  ] as const;
  return windows.map(({ id, severity, rate, long, short, means }) => ({
    id,
    severity,
    title: `Requests fail with server errors: ${means}`,
    page: 'Requests fail with server errors',
    conditions: [
      { measure: failedShare(api), over: rate * OBJECTIVE, minutes: long },
      { measure: failedShare(api), over: rate * OBJECTIVE, minutes: short },
      { measure: ofApi('5XXError')(api, 'Sum'), over: FEWEST_FAILURES, minutes: long },
    ],
  }));
}
