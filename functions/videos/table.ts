/**
 * The jobs table's indexes that list a workspace's jobs by id, and so by age: all of them, and those of one status.
 * They have what lists choose by and no more, none of which changes while a job is polled, so that polls do not
 * write to them.
 */
export const JOBS_BY_WORKSPACE = 'of-workspace';
export const JOBS_BY_STATUS = 'by-status';
export const CHOSEN_BY = ['model', 'key_hash'];

/** As versions wrote it that kept whole rows in it. */
export const OLD_JOBS_BY_WORKSPACE = 'by-workspace';
