import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { synthesize } from './template.ts';

const prod = synthesize('prod');

describe('alarms', () => {
  test.each([
    ['a dead letter', 'ApproximateNumberOfMessagesVisible', 0, 3],
    ['a queue that is not worked off', 'ApproximateAgeOfOldestMessage', 1200, 3],
  ])('tell of %s', (_, MetricName, Threshold, count) => {
    const alarms = prod.findResources('AWS::CloudWatch::Alarm', {
      Properties: { MetricName, Threshold, TreatMissingData: 'notBreaching' },
    });
    expect(Object.keys(alarms)).toHaveLength(count);
  });

  test('tell of a provider that charges more than was held, by the metric that the copier counts', () => {
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'JobsUnderpriced',
      Dimensions: [{ Name: 'service', Value: 'copy-videos' }],
      Statistic: 'Sum',
      Threshold: 0,
    });
  });

  test('tell of a job that was quarantined, by the metric that the sweeper counts', () => {
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'JobsQuarantined',
      Dimensions: [{ Name: 'service', Value: 'sweep-jobs' }],
      Statistic: 'Sum',
      Threshold: 0,
    });
  });

  test('tell of each contradiction between rows, by the metric that the reconciler counts once an hour', () => {
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Contradictions',
      Dimensions: [{ Name: 'service', Value: 'reconcile-rows' }],
      Statistic: 'Maximum',
      Period: 3600,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
    });
  });

  test('tell of failures as a share of requests', () => {
    prod.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: '5XXError',
      Statistic: 'Average',
      Threshold: 0.01,
    });
  });

  test('have a page each in the runbook', async () => {
    const runbook = await readFile('docs/runbook.md', 'utf8');
    for (const { Properties } of Object.values(prod.findResources('AWS::CloudWatch::Alarm'))) {
      const [why] = Properties.AlarmDescription.split('. What to do');
      expect(runbook).toContain(`## ${why}`);
    }
  });
});

test('one dashboard shows requests, jobs, webhooks and queues', () => {
  prod.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  const [dashboard] = Object.values(prod.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  for (const shown of [
    'Requests',
    'JobsSettled',
    'WebhookAttempts',
    'ApproximateAgeOfOldestMessage',
    'alarms',
  ]) {
    expect(body).toContain(shown);
  }
});
