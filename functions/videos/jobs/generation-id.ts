/** The id of what a provider makes for a job. A job has one generation at most, so each id follows from the other. */
export const generationIdOf = (jobId: string): string => `gen_${jobId.slice('vid_'.length)}`;

export const jobIdOf = (generationId: string): string => `vid_${generationId.slice('gen_'.length)}`;
