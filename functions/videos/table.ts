/** The jobs table's index that lists a workspace's jobs by id, and so by age. */
export const JOBS_BY_WORKSPACE = 'by-workspace';
/**
 * The one that lists those of one status by id. It has what lists choose by and no more, none of which changes
 * while a job is polled, so that polls do not write to it.
 */
export const JOBS_BY_STATUS = 'by-status';
export const CHOSEN_BY = ['model', 'key_hash'];
