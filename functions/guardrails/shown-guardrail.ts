import * as v from 'valibot';
import { instant, usd, uuid } from '../http/answer-schemas.ts';
import { microsToUsd } from '../money/micros.ts';
import { type Guardrail, storedGuardrailSchema } from './guardrail.ts';

const { limit_micros: _limit, version: _version, ...shown } = storedGuardrailSchema.entries;

/** A guardrail as answers show it: every field always, null where it is unset. */
export const shownGuardrailSchema = v.object({
  ...shown,
  id: uuid,
  workspace_id: uuid,
  limit_usd: v.nullable(usd),
  created_at: instant,
  updated_at: v.nullable(instant),
});

/** What of a guardrail the audit trail keeps. */
export const AUDITED_OF_GUARDRAILS = [
  'workspace_id',
  'allowed_models',
  'allowed_providers',
  'ignored_models',
  'ignored_providers',
  'limit_usd',
  'reset_interval',
  'include_byok_in_budgets',
] as const;

export function describeGuardrail({
  limit_micros,
  version: _,
  ...guardrail
}: Guardrail): v.InferOutput<typeof shownGuardrailSchema> {
  return { ...guardrail, limit_usd: limit_micros === null ? null : microsToUsd(limit_micros) };
}
