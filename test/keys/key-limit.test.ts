import { describe, expect, test } from '@jest/globals';
import {
  changeKeyLimit,
  isAboutLimit,
  type KeyLimitChange,
  keyLimit,
} from '../../functions/keys/key-limit.ts';
import { type Account, emptyAccount } from '../../functions/money/account.ts';
import { micros } from '../../functions/money/micros.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const at = NOW.toISOString();
const of = (amount: number, date = at) => ({ micros: micros(amount), created_at: date, updated_at: date });
const account = (limits: Account['limits'], counts_byok = false): Account => ({
  ...emptyAccount('key#a'),
  limits,
  counts_byok,
});
const unlimited = account({});
const weekly = account({ weekly: of(5, '2029-01-01T00:00:00.000Z') }, true);

describe('the limit of a key', () => {
  test.each([
    [unlimited, { micros: null, reset: null, countsByok: false }],
    [weekly, { micros: 5, reset: 'weekly', countsByok: true }],
    [account({ lifetime: of(7) }), { micros: 7, reset: null, countsByok: false }],
  ])('is the one that its account has (%#)', (given, limit) => {
    expect(keyLimit(given)).toEqual(limit);
  });

  test.each<[Account, KeyLimitChange, Account['limits'], boolean]>([
    [unlimited, { limit: micros(3) }, { lifetime: of(3) }, false],
    [unlimited, { limit: micros(3), limit_reset: 'daily' }, { daily: of(3) }, false],
    [unlimited, { limit: micros(0) }, { lifetime: of(0) }, false],
    [unlimited, { limit_reset: 'daily' }, {}, false],
    [unlimited, { include_byok_in_limit: true }, {}, true],
    [weekly, { limit: micros(3) }, { weekly: of(3) }, true],
    [weekly, { limit: null }, {}, true],
    [weekly, { limit_reset: null }, { lifetime: of(5) }, true],
    [weekly, { limit_reset: 'monthly' }, { monthly: of(5) }, true],
    [weekly, { include_byok_in_limit: false }, { weekly: of(5) }, false],
  ])('keeps what a change does not name (%#)', (before, change, limits, countsByok) => {
    expect(changeKeyLimit(before, change, NOW)).toEqual({ limits, countsByok });
  });

  test.each([
    [{ limit: null }, true],
    [{ limit_reset: null }, true],
    [{ include_byok_in_limit: false }, true],
    [{ name: 'New' }, false],
  ])('is asked for by its three fields: %j', (change, isAbout) => {
    expect(isAboutLimit(change as KeyLimitChange)).toBe(isAbout);
  });
});
