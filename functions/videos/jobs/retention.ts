import type { Job } from './job.ts';

/** Whether a completed job's result is past its time, whether or not the bucket has deleted it yet. */
export function isGone(
  { completed_at, kept_days }: Pick<Job, 'completed_at' | 'kept_days'>,
  now: Date,
): boolean {
  if (completed_at === undefined || kept_days === undefined) return false;
  return now.getTime() >= Date.parse(completed_at) + kept_days * 86_400_000;
}
