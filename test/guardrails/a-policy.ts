import { type Guardrail, ownGuardrail } from '../../functions/guardrails/guardrail.ts';
import type { WorkspacePolicy } from '../../functions/guardrails/workspace-policy.ts';

const WORKSPACE = { id: '0b6f7c9e-9a52-4d0f-9d0f-5b1c1f0a0001', created_at: '2026-01-01T00:00:00.000Z' };

/** A guardrail without limits. @param change the fields that a test sets */
export const aGuardrail = (change: Partial<Guardrail> = {}): Guardrail => ({
  ...ownGuardrail(WORKSPACE),
  ...change,
});

/** The policy of a workspace with default settings. @param change the fields that a test sets */
export const aPolicy = (change: Partial<WorkspacePolicy> = {}): WorkspacePolicy => ({
  sort: null,
  guardrailId: aGuardrail().id,
  ownGuardrail: aGuardrail(),
  agreesToDiscountLogging: false,
  ...change,
});
