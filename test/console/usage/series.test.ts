import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GROUPS, MEASURES, periodsOf, seriesOf } from '../../../console/usage/series.ts';

const row = (date: string, model: string, cost: number) => ({
  date,
  model,
  cost,
  jobs: 1,
  completed: 1,
  seconds: 4,
});

const NOON = new Date('2026-01-20T12:00:00Z');
test.each([
  [1, ['20'], ['19']],
  [7, ['20', '14'], ['13', '07']],
  [30, ['20', '14', '13', '07', '06', '01'], undefined],
])('of %i days, as many before are the former period', (days, latest, former) => {
  const rows = ['20', '19', '14', '13', '07', '06', '01'].map((day) => ({ date: `2026-01-${day}` }));
  const daysOf = (period: readonly { readonly date: string }[]) => period.map(({ date }) => date.slice(-2));
  const [found, before] = periodsOf(rows, days, NOON);
  expect(daysOf(found)).toEqual(expect.arrayContaining(latest));
  expect(before && daysOf(before)).toEqual(former && expect.arrayContaining(former));
  for (const each of former ?? []) expect(daysOf(found)).not.toContain(each);
});

test('a group without anything on a day has a 0 there', () => {
  const rows = [row('2026-01-02', 'b', 2), row('2026-01-01', 'a', 1), row('2026-01-02', 'a', 3)];
  expect(seriesOf(rows, 'model', 'cost')).toEqual({
    days: ['2026-01-01', '2026-01-02'],
    lines: [
      { name: 'a', values: [1, 3] },
      { name: 'b', values: [0, 2] },
    ],
  });
});

test('groups are called by their names, and what has no group is other', () => {
  const { lines } = seriesOf([{ ...row('2026-01-01', 'm', 1), key_hash: 'h' }], 'key', 'jobs', () => 'Ada');
  expect(lines).toEqual([{ name: 'Ada', values: [1] }]);
  expect(seriesOf([row('2026-01-01', 'm', 1)], 'provider', 'jobs').lines[0]?.name).toBe('other');
});

test('nothing is lost or counted twice', () => {
  const rows = fc.array(
    fc.record({
      date: fc.constantFrom('2026-01-01', '2026-01-02', '2026-01-03'),
      model: fc.constantFrom('a', 'b'),
      provider: fc.constantFrom('p', 'q'),
      jobs: fc.nat(100),
      completed: fc.nat(100),
      seconds: fc.nat(100),
      cost: fc.nat(100),
    }),
  );
  fc.assert(
    fc.property(rows, fc.constantFrom(...GROUPS), fc.constantFrom(...MEASURES), (all, group, measure) => {
      const drawn = seriesOf(all, group, measure).lines.flatMap(({ values }) => values);
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      expect(sum(drawn)).toBe(sum(all.map((each) => each[measure])));
    }),
  );
});
