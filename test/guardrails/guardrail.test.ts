import { describe, expect, test } from '@jest/globals';
import {
  guardrailChangeSchema,
  newGuardrailSchema,
  type unenforced,
  withoutUnenforced,
} from '../../functions/guardrails/guardrail.ts';
import { validate } from '../../functions/http/validation.ts';

const names = (count: number) => Array.from({ length: count }, (_, i) => `model-${i}`);

describe('a new guardrail', () => {
  test('needs a name, and allows everything that it does not mention', () => {
    expect(validate(newGuardrailSchema, { name: 'Kids' })).toEqual({
      name: 'Kids',
      description: null,
      allowed_models: null,
      ignored_models: null,
      allowed_providers: null,
      ignored_providers: null,
      limit_usd: null,
      reset_interval: null,
      include_byok_in_budgets: false,
    });
    expect(() => validate(newGuardrailSchema, {})).toThrow(/^name: /);
  });

  test.each([
    [{ name: 'x'.repeat(200) }, { name: 'x'.repeat(201) }, 'name: must be 1 to 200 characters'],
    [{ description: '' }, { description: 'x'.repeat(1001) }, 'description: must be at most 1000 characters'],
    [
      { allowed_models: names(100) },
      { allowed_models: names(101) },
      'allowed_models: must be a list of 1 to 100 names, or null for all',
    ],
    [
      { allowed_models: names(1) },
      { allowed_models: [] },
      'allowed_models: must be a list of 1 to 100 names, or null for all',
    ],
    [
      { allowed_providers: null },
      { allowed_providers: [] },
      'allowed_providers: must be a list of 1 to 100 names, or null for all',
    ],
    [
      { ignored_models: [] },
      { ignored_models: names(101) },
      'ignored_models: must be a list of up to 100 names, or null for none',
    ],
    [
      { ignored_providers: ['fal'] },
      { ignored_providers: 'fal' },
      'ignored_providers: must be a list of up to 100 names, or null for none',
    ],
    [{ limit_usd: 0.000001 }, { limit_usd: 0 }, /^limit_usd: must be an amount in USD, more than 0/],
    [{ limit_usd: 1e9 }, { limit_usd: 1e9 + 1 }, /^limit_usd: must be an amount in USD/],
    [
      { reset_interval: 'monthly' },
      { reset_interval: 'lifetime' },
      /^reset_interval: must be one of daily, weekly, monthly, or null/,
    ],
    [
      { include_byok_in_budgets: true },
      { include_byok_in_budgets: 1 },
      /^include_byok_in_budgets: must be true or false/,
    ],
  ])('accepts %j and refuses %j', (right, wrong, message) => {
    expect(() => validate(newGuardrailSchema, { name: 'Kids', ...right })).not.toThrow();
    expect(() => validate(newGuardrailSchema, { name: 'Kids', ...wrong })).toThrow(message);
    expect(() => validate(guardrailChangeSchema, wrong)).toThrow(message);
  });
});

describe('an unsupported rule', () => {
  const harmful: Record<keyof typeof unenforced, unknown> = {
    allowed_data_regions: ['europe'],
    content_filters: [{ pattern: 'fox', action: 'block' }],
    content_filter_builtins: [{ slug: 'regex-prompt-injection', action: 'block' }],
    enable_free_model_publication: false,
    enable_free_model_training: false,
    enable_paid_model_training: false,
    enforce_zdr: true,
    enforce_zdr_anthropic: true,
    enforce_zdr_google: true,
    enforce_zdr_openai: true,
    enforce_zdr_other: true,
    enforce_zdr_xai: true,
  };
  const harmless = (value: unknown) => (Array.isArray(value) ? [] : value === false);

  test.each(Object.entries(harmful))('is refused rather than ignored: %s of %j', (field, value) => {
    const message = `${field}: is not enforced by Genway`;
    expect(() => validate(newGuardrailSchema, { name: 'Kids', [field]: value })).toThrow(message);
    expect(() => validate(guardrailChangeSchema, { [field]: value })).toThrow(message);
  });

  test.each(Object.entries(harmful))(
    'may be sent if it forbids nothing, and is not stored: %s',
    (field, value) => {
      for (const sent of [null, harmless(value)]) {
        const taken = withoutUnenforced(validate(newGuardrailSchema, { name: 'Kids', [field]: sent }));
        expect(taken).toEqual(validate(newGuardrailSchema, { name: 'Kids' }));
      }
    },
  );
});
