/**
 * The jobs table's indexes over a workspace's jobs by id, and so by age: all of them, and those with one status. They
 * contain only the attributes that lists choose by. None of these changes while a job is polled, so a poll does not
 * write to them.
 */
export const JOBS_BY_WORKSPACE = 'of-workspace';
export const JOBS_BY_STATUS = 'by-status';
export const CHOSEN_BY = ['model', 'key_hash'];

/** The index of older versions, which kept whole rows in it. */
export const OLD_JOBS_BY_WORKSPACE = 'by-workspace';
