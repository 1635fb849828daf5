import type { AlarmRule } from './alarm-rule.ts';
import { failedShare, ofApi, type Plant } from './measures.ts';

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
