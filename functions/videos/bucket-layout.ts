import { RETENTION_DAYS, type RetentionDays } from '../workspaces/retention-days.ts';

/**
 * The prefixes in the bucket of results. Lifecycle rules use them. Where two rules match one object, the shorter life
 * wins, so no prefix may begin with another.
 */
export const INPUTS_PREFIX = 'inputs/';
/** Where Bedrock puts results, before they are copied to where results are kept. */
export const BEDROCK_PREFIX = 'bedrock/';
/** Everything that Bedrock makes for a job, also where the stage names another bucket for it. */
export const bedrockPrefix = ({ id }: Pick<Owner, 'id'>): string => `${BEDROCK_PREFIX}${id}`;
/** Where results are kept, by the days that they are kept for. */
export const KEPT_PREFIX = 'kept-';
export const keptPrefix = (days: RetentionDays): string => `${KEPT_PREFIX}${days}d/`;

/** The prefixes of a workspace's results, and so of all that links lead to here. */
export const resultPrefixes = (workspaceId: string): string[] =>
  RETENTION_DAYS.map((days) => `${keptPrefix(days)}${workspaceId}/`);

/** The prefixes of everything that belongs to a workspace. */
export const workspacePrefixes = (workspaceId: string): string[] => [
  `${INPUTS_PREFIX}${workspaceId}/`,
  ...resultPrefixes(workspaceId),
];

/** The prefixes of everything that belongs to a job. */
export const jobPrefixes = ({ workspace_id, id }: Owner): string[] =>
  workspacePrefixes(workspace_id).map((prefix) => `${prefix}${id}/`);

type Owner = { readonly workspace_id: string; readonly id: string };

/**
 * By workspace, job and attempt to copy. The job's row names the attempt that counts, so that a slower attempt never
 * changes a result that callers have seen. What it leaves behind is deleted by the prefix's lifecycle.
 */
export const outputKey = (
  { workspace_id, id }: Owner,
  days: RetentionDays,
  attempt: string,
  index: number,
): string => `${keptPrefix(days)}${workspace_id}/${id}/${attempt}/${index}.mp4`;
