import { deployedCatalogue, videoProviders } from '../../deployed/videos.ts';
import type { GuardrailChange } from '../../guardrails/guardrail.ts';
import { assertRulesKnown } from '../../videos/routing/narrow.ts';

/** Checks that the names in rules are known to this stage. Without names nothing is read. */
export function namedRules(): (rules: GuardrailChange) => Promise<void> {
  const catalogue = deployedCatalogue();
  const providers = videoProviders();
  return async (rules) => {
    const { allowed_models, ignored_models, allowed_providers, ignored_providers } = rules;
    const lists = [allowed_models, ignored_models, allowed_providers, ignored_providers];
    if (lists.every((names) => (names ?? []).length === 0)) return;
    assertRulesKnown(rules, await catalogue(), providers);
  };
}
