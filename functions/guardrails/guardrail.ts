import * as v from 'valibot';
import { characters, offsetPage, workspaceId } from '../http/validation.ts';
import { microsSchema, usdAmount } from '../money/micros.ts';
import { ownGuardrailId, type Workspace } from '../workspaces/workspace.ts';

const RULE = 'is not enforced by Genway; omit it';

const SAYS = 'Other gateways enforce this rule; Genway does not. Omit it';

const noList = v.exactOptional(
  v.pipe(v.nullable(v.pipe(v.array(v.unknown(), RULE), v.maxLength(0, RULE))), v.description(SAYS)),
);
const only = <const Value extends boolean>(value: Value) =>
  v.exactOptional(v.pipe(v.nullable(v.literal(value, RULE)), v.description(SAYS)));

/**
 * Rules that other gateways' guardrails have and ours do not enforce. A value that forbids nothing is accepted, because
 * clients send back whole objects. Any other is refused, because nobody should rely on a rule that is not enforced.
 */
export const unenforced = {
  allowed_data_regions: noList,
  content_filters: noList,
  content_filter_builtins: noList,
  enable_free_model_publication: only(true),
  enable_free_model_training: only(true),
  enable_paid_model_training: only(true),
  enforce_zdr: only(false),
  enforce_zdr_anthropic: only(false),
  enforce_zdr_google: only(false),
  enforce_zdr_openai: only(false),
  enforce_zdr_other: only(false),
  enforce_zdr_xai: only(false),
};

/** The fields that are stored. */
export function withoutUnenforced<Fields extends Partial<Record<keyof typeof unenforced, unknown>>>(
  fields: Fields,
) {
  const {
    allowed_data_regions: _regions,
    content_filters: _filters,
    content_filter_builtins: _builtins,
    enable_free_model_publication: _publication,
    enable_free_model_training: _freeTraining,
    enable_paid_model_training: _paidTraining,
    enforce_zdr: _zdr,
    enforce_zdr_anthropic: _zdrAnthropic,
    enforce_zdr_google: _zdrGoogle,
    enforce_zdr_openai: _zdrOpenai,
    enforce_zdr_other: _zdrOther,
    enforce_zdr_xai: _zdrXai,
    ...enforced
  } = fields;
  return enforced;
}

const NAMES = 100;
const ALLOWED_RULE = `must be a list of 1 to ${NAMES} names, or null for all`;
const IGNORED_RULE = `must be a list of up to ${NAMES} names, or null for none`;
const name = () => characters(1, 200);

const allowed = (what: string) =>
  v.pipe(
    v.nullable(
      v.pipe(v.array(name(), ALLOWED_RULE), v.minLength(1, ALLOWED_RULE), v.maxLength(NAMES, ALLOWED_RULE)),
    ),
    v.description(`Allowed ${what}. Null: all`),
  );
const ignored = (what: string) =>
  v.pipe(
    v.nullable(v.pipe(v.array(name(), IGNORED_RULE), v.maxLength(NAMES, IGNORED_RULE))),
    v.description(`Excluded ${what}. Null: none`),
  );

/** Who may serve: names of models or of single endpoints, and of providers or of single endpoints. */
const nameRules = {
  allowed_models: allowed('models or endpoints'),
  ignored_models: ignored('models or endpoints'),
  allowed_providers: allowed('providers or endpoints'),
  ignored_providers: ignored('providers or endpoints'),
};

const resetInterval = v.pipe(
  v.nullable(v.picklist(['daily', 'weekly', 'monthly'], 'must be one of daily, weekly, monthly, or null')),
  v.description(
    'When `limit_usd` resets, at 00:00 UTC: every day, every Monday, or on the 1st of the month. Null: never',
  ),
);

/** What a caller may set, and change later. */
const settings = {
  name: v.pipe(name(), v.description('Display name')),
  description: v.nullable(characters(0, 1000)),
  ...nameRules,
  limit_usd: v.pipe(
    v.nullable(usdAmount('more than zero')),
    v.description(
      'Spending limit in USD, with at most 6 decimals. Jobs that were submitted while the guardrail had no limit do not count. Null: no limit',
    ),
  ),
  reset_interval: resetInterval,
  include_byok_in_budgets: v.pipe(
    v.boolean('must be true or false'),
    v.description('Whether jobs on your own provider keys count towards `limit_usd`'),
  ),
};

export const newGuardrailSchema = v.object({
  name: settings.name,
  workspace_id: v.optional(workspaceId),
  description: v.optional(settings.description, null),
  allowed_models: v.optional(nameRules.allowed_models, null),
  ignored_models: v.optional(nameRules.ignored_models, null),
  allowed_providers: v.optional(nameRules.allowed_providers, null),
  ignored_providers: v.optional(nameRules.ignored_providers, null),
  limit_usd: v.optional(settings.limit_usd, null),
  reset_interval: v.optional(resetInterval, null),
  include_byok_in_budgets: v.optional(settings.include_byok_in_budgets, false),
  ...unenforced,
});

/** In a change `null` clears a field, and an absent field stays as it is. */
export const guardrailChangeSchema = v.object({
  name: v.exactOptional(settings.name),
  description: v.exactOptional(settings.description),
  allowed_models: v.exactOptional(nameRules.allowed_models),
  ignored_models: v.exactOptional(nameRules.ignored_models),
  allowed_providers: v.exactOptional(nameRules.allowed_providers),
  ignored_providers: v.exactOptional(nameRules.ignored_providers),
  limit_usd: v.exactOptional(settings.limit_usd),
  reset_interval: v.exactOptional(resetInterval),
  include_byok_in_budgets: v.exactOptional(settings.include_byok_in_budgets),
  ...unenforced,
});
export type GuardrailChange = Omit<v.InferOutput<typeof guardrailChangeSchema>, keyof typeof unenforced>;

/** The query of `GET /guardrails`. */
export const guardrailListQuery = { ...offsetPage, workspace_id: v.optional(workspaceId) };

export const storedGuardrailSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  name: v.string(),
  description: v.nullable(v.string()),
  ...nameRules,
  /** The limit itself is in the guardrail's account; this copy says that there is an account to ask. */
  limit_micros: v.nullable(microsSchema),
  reset_interval: resetInterval,
  include_byok_in_budgets: v.boolean(),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** Counts changes, so that a change based on an older version is refused. 0: there is no row yet. */
  version: v.number(),
});
export type Guardrail = Readonly<v.InferOutput<typeof storedGuardrailSchema>>;

/** What every workspace has from its first moment. It allows everything, and gets a row with its first rule. */
export const ownGuardrail = ({ id, created_at }: Pick<Workspace, 'id' | 'created_at'>): Guardrail => ({
  id: ownGuardrailId(id),
  workspace_id: id,
  name: 'Default guardrail',
  description: null,
  allowed_models: null,
  ignored_models: null,
  allowed_providers: null,
  ignored_providers: null,
  limit_micros: null,
  reset_interval: null,
  include_byok_in_budgets: false,
  created_at,
  updated_at: null,
  version: 0,
});

export const isOwn = ({ id, workspace_id }: Pick<Guardrail, 'id' | 'workspace_id'>): boolean =>
  id === ownGuardrailId(workspace_id);
