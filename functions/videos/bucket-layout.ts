import { RETENTION_DAYS, type RetentionDays } from '../retention-days.ts';

/**
 * What lies where in the bucket of results. Lifecycle rules go by these beginnings, and where two rules fit
 * one object the shorter life wins: none of them may begin another.
 */
export const INPUTS_PREFIX = 'inputs/';
/** Where Bedrock leaves what is then copied to where results are kept. */
export const BEDROCK_PREFIX = 'bedrock/';
export const keptPrefix = (days: RetentionDays): string => `kept-${days}d/`;

/** Where all lies that belongs to a workspace. */
export const workspacePrefixes = (workspaceId: string): string[] =>
  [INPUTS_PREFIX, ...RETENTION_DAYS.map(keptPrefix)].map((prefix) => `${prefix}${workspaceId}/`);

type Owner = { readonly workspace_id: string; readonly id: string };

/** By workspace and job: a second copy of the same result overwrites the first. */
export const outputKey = ({ workspace_id, id }: Owner, days: RetentionDays, index: number): string =>
  `${keptPrefix(days)}${workspace_id}/${id}/${index}.mp4`;
