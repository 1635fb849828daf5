/** The guardrails table's index over the guardrails of a workspace, oldest first. */
export const GUARDRAILS_BY_WORKSPACE = 'by-workspace';
