import type { Job } from './job.ts';

/** How long a result is kept; the bucket's lifecycle rule deletes it then. */
export const RESULT_DAYS = 30;

/** Whether a completed job's result is past its time, whether or not the bucket has deleted it yet. */
export function isGone({ completed_at }: Pick<Job, 'completed_at'>, now: Date): boolean {
  if (completed_at === undefined) return false;
  return now.getTime() >= Date.parse(completed_at) + RESULT_DAYS * 86_400_000;
}
