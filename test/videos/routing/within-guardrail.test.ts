import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NotFound } from '../../../functions/http/errors.ts';
import { withinGuardrail } from '../../../functions/videos/routing/narrow.ts';
import { aGuardrail } from '../../guardrails/a-policy.ts';
import { anOffer } from './an-offer.ts';

const MODEL = { id: 'acme/fox', offers: ['one', 'two', 'three'].map((name) => anOffer(name)) };

const left = (rules: Parameters<typeof aGuardrail>[0], model = MODEL) =>
  withinGuardrail(model, aGuardrail(rules)).offers.map(({ provider }) => provider);

describe('a guardrail, for a model at the providers one, two and three, leaves', () => {
  test.each([
    [{}, ['one', 'two', 'three']],
    [{ allowed_models: ['acme/fox'] }, ['one', 'two', 'three']],
    [{ allowed_models: ['two/fox', 'acme/hare'] }, ['two']],
    [{ ignored_models: ['two/fox', 'acme/hare'] }, ['one', 'three']],
    [{ ignored_models: [] }, ['one', 'two', 'three']],
    [{ allowed_providers: ['three', 'one'] }, ['one', 'three']],
    [{ allowed_providers: ['three/fox'] }, ['three']],
    [{ ignored_providers: ['three', 'one'] }, ['two']],
    [{ allowed_providers: ['one', 'two'], ignored_providers: ['one'] }, ['two']],
    [{ allowed_models: ['one/fox', 'two/fox'], ignored_models: ['one/fox'] }, ['two']],
  ])('by %j: %j', (rules, expected) => {
    expect(left(rules)).toEqual(expected);
  });

  test('a pinned offer by the names of its model too', () => {
    const pinned = { id: 'two/fox', offers: [anOffer('two')] };
    expect(left({ allowed_models: ['acme/fox'] }, pinned)).toEqual(['two']);
    expect(() => left({ allowed_models: ['one/fox'] }, pinned)).toThrow(NotFound);
    expect(() => left({ ignored_models: ['acme/fox'] }, pinned)).toThrow(NotFound);
  });
});

describe('if a guardrail leaves no offer, the refusal names the rule and what is allowed', () => {
  test.each([
    ['allowed_models', ['acme/hare'], 'does not allow acme/fox; its allowed_models: acme/hare'],
    ['ignored_models', ['acme/fox'], 'does not allow acme/fox; its ignored_models: acme/fox'],
    [
      'allowed_providers',
      ['four', 'five'],
      'does not allow any provider of acme/fox (one, two, three); its allowed_providers: four, five',
    ],
    [
      'ignored_providers',
      ['one', 'two', 'three'],
      'does not allow any provider of acme/fox (one, two, three); its ignored_providers: one, two, three',
    ],
  ])('%s', (rule, names, message) => {
    const guardrail = aGuardrail({ [rule]: names });
    expect(() => withinGuardrail(MODEL, guardrail)).toThrow(
      expect.objectContaining({
        status: 404,
        message: `model: the guardrail "Default guardrail" ${message}`,
        metadata: {
          path: 'model',
          guardrail_id: guardrail.id,
          rule,
          ...(rule.startsWith('allowed') ? { supported: names } : {}),
        },
      }),
    );
  });
});

test('a refusal after the caller’s own choice names the offers that are left, because others may be allowed', () => {
  const chosen = { ...MODEL, offers: MODEL.offers.slice(1) };
  for (const rules of [{ allowed_models: ['one/fox'] }, { allowed_providers: ['one'] }])
    expect(() => withinGuardrail(chosen, aGuardrail(rules), false)).toThrow(
      'does not allow two/fox, three/fox; ',
    );
});

test('the remaining offers are allowed by every rule, and the others are forbidden by one', () => {
  const names = fc.option(
    fc.subarray(['acme/fox', 'one/fox', 'two/fox', 'three/fox', 'one', 'two', 'three'], { minLength: 1 }),
  );
  const rules = fc.record({
    allowed_models: names,
    ignored_models: names,
    allowed_providers: names,
    ignored_providers: names,
  });
  fc.assert(
    fc.property(rules, (guardrail) => {
      const allows = (provider: string) => {
        const has = (list: string[] | null, ...own: string[]) => own.some((name) => list?.includes(name));
        const model = ['acme/fox', `${provider}/fox`];
        const server = [provider, `${provider}/fox`];
        return (
          (guardrail.allowed_models === null || has(guardrail.allowed_models, ...model)) &&
          !has(guardrail.ignored_models, ...model) &&
          (guardrail.allowed_providers === null || has(guardrail.allowed_providers, ...server)) &&
          !has(guardrail.ignored_providers, ...server)
        );
      };
      const expected = ['one', 'two', 'three'].filter(allows);
      if (expected.length === 0) expect(() => left(guardrail)).toThrow(NotFound);
      else expect(left(guardrail)).toEqual(expected);
    }),
  );
});
