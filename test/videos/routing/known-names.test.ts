import { describe, expect, test } from '@jest/globals';
import { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { assertRulesKnown } from '../../../functions/videos/routing/narrow.ts';
import { anOffer } from './an-offer.ts';

const CATALOGUE = new Catalogue([anOffer('one'), anOffer('two')]);
const PROVIDERS = {
  spare: { adapter: 'openai-videos', base_url: 'https://a.example', credential: 'none' as const },
};
const check = (rules: object) => assertRulesKnown(rules, CATALOGUE, PROVIDERS);

describe('the names in a guardrail', () => {
  test.each([
    { allowed_models: ['acme/fox', 'one/fox'], ignored_models: ['two/fox'] },
    { allowed_providers: ['one', 'two/fox'], ignored_providers: ['spare'] },
    { allowed_models: null, ignored_models: [], allowed_providers: undefined },
  ])('may be those of the catalogue and of the stage: %j', (rules) => {
    expect(() => check(rules)).not.toThrow();
  });

  test.each([
    ['allowed_models', 'one', ['acme/fox', 'one/fox', 'two/fox']],
    ['ignored_models', 'acme/foxx', ['acme/fox', 'one/fox', 'two/fox']],
    ['allowed_providers', 'acme/fox', ['one', 'one/fox', 'spare', 'two', 'two/fox']],
    ['ignored_providers', 'thre', ['one', 'one/fox', 'spare', 'two', 'two/fox']],
  ])('of %s may not be %s', (field, wrong, supported) => {
    expect(() => check({ [field]: [supported[0], wrong] })).toThrow(
      expect.objectContaining({ status: 400, metadata: { path: field, supported } }),
    );
  });
});
