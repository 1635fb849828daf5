import { describe, expect, test } from '@jest/globals';
import { readAlarm, summaryOf } from '../../../local/dashboard/alarm.ts';
import { Samples } from '../../../local/dashboard/series.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE + 1;
const metric = { namespace: 'Genway/local', name: 'MessagesFailed', dimensions: { service: 'genway' } };

const alarm = (changes: Readonly<Record<string, unknown>> = {}) =>
  readAlarm({
    AlarmArn: 'arn:1',
    AlarmDescription: 'Workers fail',
    Namespace: metric.namespace,
    MetricName: metric.name,
    Dimensions: [{ Name: 'service', Value: 'genway' }],
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 3,
    DatapointsToAlarm: 3,
    Threshold: 2,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
    ...changes,
  });
const counted = (...sums: readonly (readonly [minute: number, value: number])[]) =>
  new Samples(sums.map(([minute, value]) => ({ ...metric, at: minute * MINUTE, value })));
const onBy = (samples: Samples, ...alarms: ReturnType<typeof alarm>[]) => summaryOf(alarms, samples, NOW).on;

describe('an alarm', () => {
  const lasting = counted([90, 3], [95, 3], [100, 3]);

  test('is on once each of its latest periods is over its threshold', () => {
    expect(onBy(lasting, alarm())).toEqual(['Workers fail']);
    expect(onBy(counted([90, 3], [95, 2], [100, 3]), alarm())).toEqual([]);
    expect(onBy(counted([85, 3], [90, 3], [95, 3]), alarm())).toEqual([]);
  });

  test('is off at its threshold, whichever side of that is bad', () => {
    const under = alarm({ ComparisonOperator: 'LessThanThreshold' });
    expect(onBy(counted([90, 1], [95, 1], [100, 1]), under)).toEqual(['Workers fail']);
    expect(onBy(counted([90, 2], [95, 2], [100, 2]), under, alarm({ AlarmArn: 'arn:2' }))).toEqual([]);
  });

  test('needs no more of them than it says', () => {
    const some = { DatapointsToAlarm: 2 };
    expect(onBy(counted([90, 3], [100, 3]), alarm(some))).toEqual(['Workers fail']);
    expect(onBy(counted([90, 3]), alarm(some))).toEqual([]);
  });

  test('takes periods of which nothing is known as it says', () => {
    const under = { ComparisonOperator: 'LessThanThreshold', Threshold: 1 };
    expect(onBy(counted(), alarm(under))).toEqual([]);
    expect(onBy(counted(), alarm({ ...under, TreatMissingData: 'breaching' }))).toEqual(['Workers fail']);
  });

  test('does not miss what nobody counted yet, as the run had not begun', () => {
    const silent = alarm({ MetricName: 'Invocations', TreatMissingData: 'breaching' });
    expect(onBy(counted([90, 1]), silent)).toEqual(['Workers fail']);
    expect(onBy(counted([91, 1]), silent)).toEqual([]);
  });

  test('on what only AWS counts is neither on nor off', () => {
    const theirs = alarm({ AlarmArn: 'arn:2', Namespace: 'AWS/DynamoDB', MetricName: 'WriteThrottleEvents' });
    expect(summaryOf([theirs, alarm()], counted(), NOW)).toEqual({ on: [], off: 1, unknown: 1 });
  });

  test('of parts is on when all of them are', () => {
    const part = { AlarmDescription: 'A part of: Requests fail' };
    const parts = [alarm(part), alarm({ ...part, AlarmArn: 'arn:2', Threshold: 5 })];
    expect(summaryOf(parts, lasting, NOW)).toEqual({ on: [], off: 1, unknown: 0 });
    expect(onBy(counted([90, 6], [95, 6], [100, 6]), ...parts)).toEqual(['Requests fail']);
  });
});
