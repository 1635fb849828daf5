import { describe, expect, test } from '@jest/globals';
import { validate } from '../../functions/http/validation.ts';
import type { Activity } from '../../functions/money/activity.ts';
import { analyse, analyticsQuerySchema, daysOf, isAboutUsers } from '../../functions/money/analytics.ts';
import { micros } from '../../functions/money/micros.ts';

const ask = (query: object) => validate(analyticsQuerySchema, { metrics: ['request_count'], ...query });
const activity = (change: Partial<Activity>): Activity => ({
  day: '2030-01-31',
  workspace_id: 'w',
  key_hash: 'k',
  model: 'a/one',
  provider: 'a',
  jobs: 2,
  completed: 1,
  seconds: 4,
  micros: micros(1_500_000),
  ...change,
});
const ROWS = [
  activity({}),
  activity({ day: '2030-02-01', jobs: 3, byok_micros: micros(500_000) }),
  activity({ model: 'b/two', provider: 'b', jobs: 7 }),
];
const answer = (query: object, rows = ROWS) => analyse(rows, ask(query));

test('without a dimension, one row has the sum of all', () => {
  const metrics = ['request_count', 'completed_count', 'success_rate', 'video_seconds', 'cost', 'byok_cost'];
  expect(answer({ metrics })).toEqual({
    data: [
      {
        request_count: 12,
        completed_count: 3,
        success_rate: 0.25,
        video_seconds: 12,
        cost: 4.5,
        byok_cost: 0.5,
      },
    ],
    isCut: false,
  });
});

test('rows are divided by dimensions and time, the latest first', () => {
  const months = (granularity: string) =>
    answer({ dimensions: ['model'], granularity }).data.map((row) => Object.values(row));
  expect(months('day').slice(0, 1)).toEqual([['2030-02-01', 'a/one', 3]]);
  expect(months('month').toSorted()).toEqual([
    ['2030-01-01', 'a/one', 2],
    ['2030-01-01', 'b/two', 7],
    ['2030-02-01', 'a/one', 3],
  ]);
  // 2030-01-28 is a Monday.
  expect(months('week').toSorted()).toEqual([
    ['2030-01-28', 'a/one', 5],
    ['2030-01-28', 'b/two', 7],
  ]);
});

test('rows come in the order of a metric, as many as are asked for', () => {
  const order_by = { field: 'request_count', direction: 'asc' };
  const query = { dimensions: ['model'], order_by };
  expect(answer(query).data.map(({ model }) => model)).toEqual(['a/one', 'b/two']);
  expect(answer({ dimensions: ['model'] }).data.map(({ model }) => model)).toEqual(['b/two', 'a/one']);
  expect(answer({ ...query, limit: 1 })).toEqual({
    data: [{ model: 'a/one', request_count: 5 }],
    isCut: true,
  });
  const days = { dimensions: ['model'], granularity: 'day', group_limit: 1 };
  expect(answer(days)).toMatchObject({ isCut: true });
  expect(
    answer(days)
      .data.map(({ model }) => model)
      .toSorted(),
  ).toEqual(['a/one', 'b/two']);
});

test.each([
  ['eq', 'a', 5],
  ['neq', 'a', 7],
  ['in', ['a', 'b'], 12],
  ['not_in', ['b'], 5],
])('a filter by %s %j leaves %i', (operator, value, count) => {
  const filters = [{ field: 'provider', operator, value }];
  expect(answer({ filters }).data).toEqual([{ request_count: count }]);
});

const ONE_USER = { field: 'user', operator: 'eq', value: 'ada' };

test('a query about users is one with users in its dimensions or filters', () => {
  const filters = [ONE_USER];
  expect([{}, { dimensions: ['user'] }, { filters }].map((query) => isAboutUsers(ask(query)))).toEqual([
    false,
    true,
    true,
  ]);
});

describe('the days of a query', () => {
  const now = new Date('2030-03-01T12:00:00Z');
  const days = (start: string, end: string) => daysOf(ask({ time_range: { start, end } }), now);

  test('are the last 30, or those of its range', () => {
    expect(daysOf(ask({}), now)).toHaveLength(30);
    expect(days('2030-01-30T23:00:00Z', '2030-02-01T00:00:00Z')).toEqual(['2030-01-30', '2030-01-31']);
    expect(days('2030-01-30T23:00:00Z', '2030-02-01T00:00:01Z')).toHaveLength(3);
    expect(days('2030-01-01T00:00:00Z', '2030-04-03T00:00:00Z')).toHaveLength(92);
  });

  test.each([
    ['2030-01-01T00:00:00Z', '2030-04-03T00:00:01Z'],
    ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['2030-01-02T00:00:00Z', '2030-01-02T00:00:00Z'],
    ['2030-01-02T12:00:00Z', '2030-01-02T06:00:00Z'],
  ])('cannot be from %s to %s', (start, end) => {
    expect(() => days(start, end)).toThrow(/1 to 92 days in UTC/);
  });
});

test.each<[string, object, RegExp]>([
  ['an unknown metric', { metrics: ['tokens'] }, /must be one of request_count/],
  ['no metric', { metrics: [] }, /at least 1/],
  ['a metric named too often', { metrics: Array(21).fill('cost') }, /at most 20/],
  ['a dimension named too often', { dimensions: Array(21).fill('model') }, /at most 20/],
  [
    'a list for one value',
    { filters: [{ field: 'user', operator: 'eq', value: ['a'] }] },
    /^filters\.0\.value: must be a list for `in`/,
  ],
  [
    'one value for a list',
    { filters: [{ field: 'user', operator: 'in', value: 'a' }] },
    /must be a list for `in`/,
  ],
  ['a filter too many', { filters: Array(21).fill(ONE_USER) }, /at most 20/],
  [
    'a value too many',
    { filters: [{ field: 'user', operator: 'in', value: Array(101).fill('a') }] },
    /filters\.0\.value/,
  ],
  ['a row too many', { limit: 10_001 }, /at most 10000/],
  ['an answer without rows', { limit: 0 }, /at least 1/],
  [
    'an order of a field that is not asked for',
    { order_by: { field: 'cost', direction: 'asc' } },
    /must be one of/,
  ],
])('%s is refused', (_, query, says) => {
  expect(() => answer(query)).toThrow(says);
});
