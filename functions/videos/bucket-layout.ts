import { RETENTION_DAYS, type RetentionDays } from '../retention-days.ts';

/**
 * What lies where in the bucket of results. Lifecycle rules go by these beginnings, and where two rules fit
 * one object the shorter life wins: none of them may begin another.
 */
export const INPUTS_PREFIX = 'inputs/';
/** Where Bedrock leaves what is then copied to where results are kept. */
export const BEDROCK_PREFIX = 'bedrock/';
/** Where results are, each below the days that it is kept for. */
export const KEPT_PREFIX = 'kept-';
export const keptPrefix = (days: RetentionDays): string => `${KEPT_PREFIX}${days}d/`;

/** Where all lies that belongs to a workspace. */
export const workspacePrefixes = (workspaceId: string): string[] =>
  [INPUTS_PREFIX, ...RETENTION_DAYS.map(keptPrefix)].map((prefix) => `${prefix}${workspaceId}/`);

/** Where all lies that belongs to a job. */
export const jobPrefixes = ({ workspace_id, id }: Owner): string[] =>
  workspacePrefixes(workspace_id).map((prefix) => `${prefix}${id}/`);

type Owner = { readonly workspace_id: string; readonly id: string };

/**
 * By workspace, job and the attempt to copy. The job's row names the attempt that counts, so that a slower one
 * changes nothing of a result that callers have seen; what it left goes with its prefix's lifecycle.
 */
export const outputKey = (
  { workspace_id, id }: Owner,
  days: RetentionDays,
  attempt: string,
  index: number,
): string => `${keptPrefix(days)}${workspace_id}/${id}/${attempt}/${index}.mp4`;
