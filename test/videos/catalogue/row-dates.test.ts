import { describe, expect, test } from '@jest/globals';
import { allOffers, bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { endsSoon, hasEnded, isStale, RETIRED } from '../../../functions/videos/catalogue/row-dates.ts';

const at = (time: string) => new Date(time);

describe('a row of the catalogue', () => {
  test.each(allOffers().map((offer) => [offer.id, offer] as const))(
    '%s names its source, and lives after the day on which it was looked up',
    (_, offer) => {
      expect(offer.source).toMatch(/\w{4}/);
      expect(offer.checked_at).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(hasEnded(offer, at(`${offer.checked_at}T00:00:00Z`))).toBe(false);
    },
  );

  test.each([...RETIRED].map(([id, { successor = '' }]) => [id, successor] as const))(
    'is gone for %s, and its successor %s is there',
    (id, successor) => {
      expect(bundledCatalogue.model(id)).toBeUndefined();
      expect(bundledCatalogue.model(successor)).toBeDefined();
    },
  );

  test('names only successors that are there', () => {
    const named = allOffers().flatMap(({ successor }) => successor ?? []);
    expect(named.filter((id) => bundledCatalogue.model(id) === undefined)).toEqual([]);
  });
});

describe('the end of a model', () => {
  const offer = { eol_at: '2026-12-23' };
  test.each([
    ['2026-11-22T23:59:59Z', false, false],
    ['2026-11-23T00:00:00Z', true, false],
    ['2026-12-22T23:59:59Z', true, false],
    ['2026-12-23T00:00:00Z', true, true],
  ])('on 23 December is at %s soon: %s, past: %s', (time, soon, past) => {
    expect([endsSoon(offer, at(time)), hasEnded(offer, at(time))]).toEqual([soon, past]);
  });

  test('is neither where none is known', () => {
    expect([endsSoon({}, at('2099-01-01')), hasEnded({}, at('2099-01-01'))]).toEqual([false, false]);
  });
});

describe('what was looked up on 23 November', () => {
  test.each([
    ['2027-02-21T00:00:00Z', false],
    ['2027-02-21T00:00:01Z', true],
  ])('is at %s too old: %s', (time, stale) => {
    expect(isStale({ checked_at: '2026-11-23' }, at(time))).toBe(stale);
  });

  test('cannot become too old in a deployer’s row without a date', () => {
    expect(isStale({}, at('2099-01-01'))).toBe(false);
  });
});
