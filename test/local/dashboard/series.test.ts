import { describe, expect, test } from '@jest/globals';
import { type Sample, Samples, statisticOf } from '../../../local/dashboard/series.ts';

const MINUTE = 60_000;
const metric = {
  namespace: 'Genway/local',
  name: 'Requests',
  dimensions: { service: 'genway', class: 'served' },
};
const sample = (at: number, value: number, dimensions = metric.dimensions): Sample => ({
  ...metric,
  dimensions,
  at,
  value,
});
const line = { ...metric, statistic: 'Sum' };

describe('a series', () => {
  test('has a point for each period in which something was counted, in order', () => {
    const samples = new Samples([sample(3 * MINUTE, 1), sample(MINUTE, 2), sample(2 * MINUTE - 1, 4)]);
    expect(samples.series(line, { from: 0, to: 10 * MINUTE }, 60)).toEqual([
      [MINUTE, 6],
      [3 * MINUTE, 1],
    ]);
  });

  test('begins with its span and ends before its end', () => {
    const samples = new Samples([0, 1, 2, 3].map((minute) => sample(minute * MINUTE, 1)));
    const points = samples.series(line, { from: MINUTE, to: 3 * MINUTE }, 60);
    expect(points.map(([at]) => at)).toEqual([MINUTE, 2 * MINUTE]);
  });

  test('has only that metric, in whatever order its dimensions are', () => {
    const samples = new Samples([
      sample(0, 1, { class: 'served', service: 'genway' }),
      sample(0, 2, { class: 'failed', service: 'genway' }),
      { ...sample(0, 4), name: 'Others' },
      { ...sample(0, 8), namespace: 'Genway/dev' },
    ]);
    expect(samples.series(line, { from: 0, to: 1 }, 60)).toEqual([[0, 1]]);
  });

  test('of longer periods begins where CloudWatch begins them', () => {
    const samples = new Samples([sample(4 * MINUTE, 1), sample(5 * MINUTE, 2), sample(9 * MINUTE, 4)]);
    expect(samples.series(line, { from: 0, to: 10 * MINUTE }, 300)).toEqual([
      [0, 1],
      [5 * MINUTE, 6],
    ]);
  });
});

test.each([
  ['Sum', [1, 2, 4], 7],
  ['Average', [1, 2, 6], 3],
  ['Maximum', [1, 6, 2], 6],
  ['Minimum', [2, 1, 6], 1],
  ['p50', [4, 1, 3, 2], 2],
  ['p50', [7], 7],
  ['p95', Array.from({ length: 20 }, (_, index) => index + 1), 19],
  ['p99', Array.from({ length: 20 }, (_, index) => index + 1), 20],
  ['p99.9', [1, 2], 2],
])('%s of %j is %d', (statistic, values, expected) => {
  expect(statisticOf(statistic, values)).toBe(expected);
});

test('an unknown statistic is an error, not an empty graph', () => {
  expect(() => statisticOf('IQM', [1])).toThrow('IQM');
});
