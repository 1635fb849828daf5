/** What the stores of tables and `lib/`, which makes the tables, must name alike. */

/** The workspaces table's index that lists every workspace, oldest first. */
export const WORKSPACES_BY_CREATION = 'by-creation';

/** The attribute by which the index lists workspaces, apart from those that are being removed. */
export const WORKSPACE_LISTING = 'workspace';
export const REMOVAL_LISTING = 'removal';

/** The keys table's index that lists every key, oldest first. */
export const KEYS_BY_CREATION = 'by-creation';
/** The index that lists the keys of a workspace in the same order. */
export const KEYS_BY_WORKSPACE = 'by-workspace';

/** The attributes of a key that may change. Its kind and its scope may not. */
export const CHANGEABLE_OF_KEYS = [
  'workspace_id',
  'name',
  'disabled',
  'external_user',
  'expires_at',
  'rate_limits',
  'guardrail_id',
  'guardrail_since',
] as const;

/** The guardrails table's index over the guardrails of a workspace, oldest first. */
export const GUARDRAILS_BY_WORKSPACE = 'by-workspace';

/** The provider keys table's index over the keys of a workspace, oldest first. */
export const PROVIDER_KEYS_BY_WORKSPACE = 'by-workspace';

/** The index over the remembered answers about a workspace. */
export const REPLAYS_BY_WORKSPACE = 'by-workspace';

/** The index over the hosts to which a workspace sends. */
export const HOSTS_BY_WORKSPACE = 'by-workspace';

/** The accounts table's index over the jobs that ended on a day. */
export const ACTIVITY_BY_DAY = 'by-day';

/** KMS binds the headers of destinations to this, in place of a provider's name. No provider can have it. */
export const SEALED_FOR = 'broadcast:headers';

/** The events table's index that lists a workspace's events by their place. */
export const EVENTS_BY_WORKSPACE = 'by-workspace';
/** The index that has only the lost events that can be recovered, by workspace and place. */
export const LOST_EVENTS = 'lost';

/**
 * The jobs table's indexes over a workspace's jobs by id, and so by age: all of them, and those with one status. They
 * contain only the attributes that lists choose by. None of these changes while a job is polled, so a poll does not
 * write to them.
 */
export const JOBS_BY_WORKSPACE = 'of-workspace';
export const JOBS_BY_STATUS = 'by-status';
export const JOBS_CHOSEN_BY = ['model', 'key_hash'];

/** The index of older versions, which kept whole rows in it. */
export const OLD_JOBS_BY_WORKSPACE = 'by-workspace';
