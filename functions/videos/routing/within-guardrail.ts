import type { Guardrail } from '../../guardrails/guardrail.ts';
import { NotFound } from '../../http/errors.ts';
import type { VideoModel } from '../catalogue/catalogue.ts';
import { modelOf, type VideoEndpoint } from '../catalogue/endpoint.ts';

export type GuardrailRules = Pick<
  Guardrail,
  'id' | 'name' | 'allowed_models' | 'ignored_models' | 'allowed_providers' | 'ignored_providers'
>;

type Rule = Exclude<keyof GuardrailRules, 'id' | 'name'>;

/** The names by which each rule knows an endpoint; its own id is always one of them. */
const NAMES: Readonly<Record<Rule, (endpoint: VideoEndpoint) => readonly string[]>> = {
  allowed_models: (endpoint) => [endpoint.id, modelOf(endpoint)],
  ignored_models: (endpoint) => [endpoint.id, modelOf(endpoint)],
  allowed_providers: ({ id, provider }) => [id, provider],
  ignored_providers: ({ id, provider }) => [id, provider],
};
const RULES = ['allowed_models', 'ignored_models', 'allowed_providers', 'ignored_providers'] as const;

/**
 * The model with those of its endpoints that a guardrail allows.
 * @throws NotFound that names the rule which leaves none
 */
export function withinGuardrail(model: VideoModel, rules: GuardrailRules): VideoModel {
  let { endpoints } = model;
  for (const rule of RULES) {
    const left = endpoints.filter((endpoint) => mayServe(endpoint, rule, rules[rule]));
    if (left.length === 0) throw refusal(model.id, endpoints, rule, rules);
    endpoints = left;
  }
  return { ...model, endpoints };
}

function mayServe(endpoint: VideoEndpoint, rule: Rule, names: readonly string[] | null): boolean {
  if (names === null) return true;
  const isNamed = NAMES[rule](endpoint).some((name) => names.includes(name));
  return isNamed === isAllowing(rule);
}

const isAllowing = (rule: Rule): boolean => rule === 'allowed_models' || rule === 'allowed_providers';

/** A 404, because a submit's table of statuses has no 403. */
function refusal(model: string, endpoints: readonly VideoEndpoint[], rule: Rule, rules: GuardrailRules) {
  const named = (rules[rule] ?? []).join(', ');
  const what = rule.endsWith('models') ? model : `any provider of ${model} (${providersOf(endpoints)})`;
  const instead = isAllowing(rule) ? `it allows ${named}` : `it allows all but ${named}`;
  return new NotFound(`model: the guardrail "${rules.name}" does not allow ${what}; ${rule}: ${instead}`, {
    metadata: {
      path: 'model',
      guardrail_id: rules.id,
      rule,
      ...(isAllowing(rule) ? { supported: rules[rule] } : {}),
    },
  });
}

const providersOf = (endpoints: readonly VideoEndpoint[]): string =>
  [...new Set(endpoints.map(({ provider }) => provider))].join(', ');
