import { describe, expect, test } from '@jest/globals';
import type { StoredDestination } from '../../functions/broadcast/destination.ts';
import { endedGeneration } from '../../functions/broadcast/generation-span.ts';
import { filterRulesSchema, isChosen } from '../../functions/broadcast/trace-filter.ts';
import { validate } from '../../functions/http/validation.ts';
import { aDestination, endedEvent } from './ended-event.ts';

const KEY = 'a'.repeat(64);
const generation = endedGeneration(endedEvent({ user: 'ada', provider: 'sandbox' }));
const chosen = (change: Partial<StoredDestination>, traceId = 't', keyHash?: string) =>
  isChosen(generation, { of: 'vid_1', traceId }, keyHash, aDestination(change));

interface Rule {
  readonly field: string;
  readonly operator: string;
  readonly value?: string | number;
}
const filtered = (rules: readonly Rule[], more: object = {}) =>
  chosen({ filter_rules: validate(filterRulesSchema, { groups: [{ rules, ...more }] }) });

describe('the filter of a destination', () => {
  test.each<[string, string, string | number | undefined, boolean]>([
    ['model', 'equals', 'sandbox/clip-1', true],
    ['model', 'equals', 'sandbox/clip', false],
    ['model', 'not_equals', 'sandbox/clip-1', false],
    ['model', 'not_equals', 'fal/other', true],
    ['provider', 'contains', 'andbo', true],
    ['provider', 'contains', 'fal', false],
    ['provider', 'not_contains', 'fal', true],
    ['provider', 'not_contains', 'sand', false],
    ['model', 'starts_with', 'sandbox/', true],
    ['model', 'starts_with', '/clip-1', false],
    ['model', 'ends_with', '/clip-1', true],
    ['model', 'ends_with', 'sandbox/', false],
    ['user_id', 'equals', 'ada', true],
    ['user_id', 'exists', undefined, true],
    ['session_id', 'exists', undefined, false],
    ['session_id', 'not_exists', undefined, true],
    ['session_id', 'equals', '', false],
    ['session_id', 'not_equals', 's', true],
    // It cost 0.03 dollars.
    ['total_cost', 'equals', 0.03, true],
    ['total_cost', 'gt', 0.03, false],
    ['total_cost', 'gt', 0.02, true],
    ['total_cost', 'gte', 0.03, true],
    ['total_cost', 'lt', 0.03, false],
    ['total_cost', 'lte', 0.03, true],
  ])('%s %s %p: %p', (field, operator, value, passes) => {
    expect(filtered([{ field, operator, ...(value === undefined ? {} : { value }) }])).toBe(passes);
  });

  const YES = { field: 'model', operator: 'exists' };
  const NO = { field: 'model', operator: 'not_exists' };
  test.each([
    ['all of a group by itself', [YES, NO], {}, false],
    ['one of a group by or', [YES, NO], { logic: 'or' }, true],
    ['none of a group by or', [NO, NO], { logic: 'or' }, false],
  ])('%s', (_, rules, more, passes) => {
    expect(filtered(rules, more)).toBe(passes);
  });

  test('every group must pass, while the filter is on', () => {
    const groups = [{ rules: [YES] }, { rules: [NO] }];
    const rules = (enabled: boolean) => validate(filterRulesSchema, { enabled, groups });
    expect([true, false].map((enabled) => chosen({ filter_rules: rules(enabled) }))).toEqual([false, true]);
  });

  test.each<[string, object, RegExp]>([
    ['the prompt', { field: 'input', operator: 'contains', value: 'fox' }, /must be one of model, provider/],
    ['a regular expression', { field: 'model', operator: 'regex', value: '.*' }, /must be one of equals/],
    ['an order of texts', { field: 'model', operator: 'gt', value: 'a' }, /for the other fields/],
    [
      'a part of a number',
      { field: 'total_cost', operator: 'contains', value: 1 },
      /must be one of .* for total_cost/,
    ],
    ['a text for a cost', { field: 'total_cost', operator: 'gt', value: '1' }, /a number for total_cost/],
    ['no value', { field: 'model', operator: 'equals' }, / text of at most/],
    ['a long value', { field: 'model', operator: 'equals', value: 'x'.repeat(501) }, /at most 500/],
  ])('cannot ask for %s', (_, rule, says) => {
    expect(() => validate(filterRulesSchema, { groups: [{ rules: [rule] }] })).toThrow(says);
  });
});

test('a destination that is off gets nothing', () => {
  expect([chosen({}), chosen({ enabled: false })]).toEqual([true, false]);
});

test('a destination with keys gets only their traces, and none whose key is not known', () => {
  const ofKey = { api_key_hashes: [KEY] };
  const others = ['b'.repeat(64), undefined];
  expect([KEY, ...others].map((hash) => chosen(ofKey, 't', hash))).toEqual([true, false, false]);
  expect(chosen({}, 't', undefined)).toBe(true);
});

test('a share of the traces is sent, the same at each attempt, and a smaller share is part of it', () => {
  const ids = Array.from({ length: 4_000 }, (_, number) => `trace ${number}`);
  const sent = (sampling_rate: number) => ids.filter((id) => chosen({ sampling_rate }, id));
  const quarter = sent(0.25);
  expect(quarter.length / ids.length).toBeCloseTo(0.25, 1);
  expect(sent(0.25)).toEqual(quarter);
  expect(quarter).toEqual(expect.arrayContaining(sent(0.1)));
  expect(sent(1)).toEqual(ids);
});
