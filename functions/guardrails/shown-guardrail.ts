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

export function describeGuardrail({
  limit_micros,
  version: _,
  ...guardrail
}: Guardrail): v.InferOutput<typeof shownGuardrailSchema> {
  return { ...guardrail, limit_usd: limit_micros === null ? null : microsToUsd(limit_micros) };
}
