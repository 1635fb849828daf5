import * as v from 'valibot';
import { newWorkspaceSchema } from './workspace.ts';

export const storedWorkspaceSchema = v.object({
  ...newWorkspaceSchema.entries,
  id: v.string(),
  default_guardrail_id: v.string(),
  include_byok_in_budgets: v.boolean(),
  created_by: v.string(),
  created_at: v.string(),
  updated_at: v.nullable(v.string()),
  /** Counts changes, so that a change based on an older version is refused. */
  version: v.number(),
  /** Keys that are neither disabled nor deleted; expired ones count. */
  live_keys: v.optional(v.number(), 0),
});
export type StoredWorkspace = Readonly<v.InferOutput<typeof storedWorkspaceSchema>>;

/** Parses a workspace's row; undefined where it has been deleted. */
export const readWorkspace = (row: Readonly<Record<string, unknown>>): StoredWorkspace | undefined =>
  row.removed_at === undefined ? v.parse(storedWorkspaceSchema, row) : undefined;
