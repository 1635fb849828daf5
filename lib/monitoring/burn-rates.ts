import { failedShare, ofApi } from '../measures.ts';
import type { AlarmRule } from './alarm-rule.ts';
import type { Plant } from './measure.ts';

/** Of requests in a month may fail. */
const OBJECTIVE = 0.001;

/** So many requests at least must have failed, however few there were in all. */
const FEWEST_FAILURES = 9;

/**
 * How fast the errors that the objective allows in a month are used up: over a long time, so that a blip is none,
 * and still now, so that the alarm ends when the trouble does. (Site Reliability Workbook, chapter 5.) The share of
 * failures is an average that API Gateway keeps, so that no expression over metrics is needed.
 */
export function burnRates({ api }: Plant): AlarmRule[] {
  const windows = [
    {
      id: 'BurnFast',
      severity: 'page',
      rate: 14.4,
      long: 60,
      short: 5,
      means: '2 % of a month’s errors in an hour',
    },
    {
      id: 'BurnSlow',
      severity: 'page',
      rate: 6,
      long: 360,
      short: 30,
      means: '5 % of a month’s errors in 6 hours',
    },
    {
      id: 'BurnSteady',
      severity: 'ticket',
      rate: 3,
      long: 1440,
      short: 120,
      means: '10 % of a month’s errors in a day',
    },
  ] as const;
  return windows.map(({ id, severity, rate, long, short, means }) => ({
    id,
    severity,
    title: `Requests fail on our side: ${means}`,
    page: 'Requests fail on our side',
    conditions: [
      { measure: failedShare(api), over: rate * OBJECTIVE, minutes: long },
      { measure: failedShare(api), over: rate * OBJECTIVE, minutes: short },
      { measure: ofApi('5XXError')(api, 'Sum'), over: FEWEST_FAILURES, minutes: long },
    ],
  }));
}
