import { describe, expect, test } from '@jest/globals';
import { Samples } from '../../../local/dashboard/series.ts';
import { readDefinition, viewOf } from '../../../local/dashboard/view.ts';

const served = ['Genway/local', 'Requests', 'class', 'served', 'service', 'genway'];
const failedShare = ['AWS/ApiGateway', '5XXError', 'ApiName', 'Genway-local', { label: 'failed' }];
const throttled = [
  'AWS/DynamoDB',
  'WriteThrottleEvents',
  'TableName',
  'jobs',
  { stat: 'Sum', label: 'jobs' },
];

/** A dashboard's body as CloudWatch returns it. */
const body = (metrics: unknown[]) =>
  JSON.stringify({
    widgets: [
      { type: 'text', width: 8, height: 4, x: 0, y: 0, properties: { markdown: '# callers' } },
      { type: 'alarm', width: 16, height: 4, properties: { title: 'Alarms', alarms: ['arn:1'] } },
      {
        type: 'metric',
        width: 8,
        height: 6,
        properties: {
          view: 'timeSeries',
          title: 'Answers',
          region: 'us-east-1',
          metrics,
          annotations: { horizontal: [{ label: 'alarm over 2', value: 2, yAxis: 'left' }] },
          yAxis: { left: { label: 'requests', showUnits: false } },
        },
      },
    ],
  });
const samples = new Samples([
  {
    namespace: 'Genway/local',
    name: 'Requests',
    dimensions: { service: 'genway', class: 'served' },
    at: 30_000,
    value: 1,
  },
]);
const drawn = (metrics: unknown[], periodSeconds = 300) => {
  const shown = { span: { from: 0, to: 60_000 }, periodSeconds };
  const [dashboard] = viewOf([readDefinition('callers', body(metrics))], samples, shown).dashboards;
  return dashboard!.panels[0]!;
};

describe('a panel', () => {
  test('is drawn as it was defined: title, unit, width, thresholds, and a line for each metric', () => {
    expect(drawn([[...served, { stat: 'Sum', label: 'served' }]])).toEqual({
      title: 'Answers',
      unit: 'requests',
      width: 8,
      thresholds: [{ label: 'alarm over 2', value: 2 }],
      lines: [{ label: 'served', points: [[0, 1]] }],
      notes: [],
    });
  });

  test('names its lines that only AWS measures, and draws the others', () => {
    const { lines, notes, thresholds } = drawn([failedShare, throttled]);
    expect(lines.map(({ label }) => label)).toEqual(['failed']);
    expect(notes).toEqual(['Counted by the local edge', 'Only AWS measures: jobs']);
    expect(thresholds).toHaveLength(1);
  });

  test('has no threshold without counted lines, nor beside sums of another period', () => {
    expect(drawn([throttled])).toMatchObject({
      lines: [],
      thresholds: [],
      notes: ['Only AWS measures this'],
    });
    const sum = [...served, { stat: 'Sum', label: 'served' }];
    expect(drawn([sum], 60).thresholds).toEqual([]);
    expect(drawn([sum], 300).thresholds).toHaveLength(1);
    expect(drawn([failedShare], 60).thresholds).toHaveLength(1);
  });

  test('draws averages, under the name of the metric, where nothing else is said', () => {
    expect(readDefinition('callers', body([served])).panels[0]?.lines).toEqual([
      {
        namespace: 'Genway/local',
        name: 'Requests',
        dimensions: { service: 'genway', class: 'served' },
        statistic: 'Average',
        label: 'Requests',
      },
    ]);
  });

  test('is not drawn wrong if a metric has a period of its own', () => {
    const metric = [...served, { period: 60, stat: 'p99', label: 'served' }];
    expect(() => readDefinition('callers', body([metric]))).toThrow('Expected (string | Object)');
  });
});
