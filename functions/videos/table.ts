/** The jobs table's index that lists a workspace's jobs by id, and so by age. */
export const JOBS_BY_WORKSPACE = 'by-workspace';
