import type { Job } from './job.ts';

type Kept = Pick<Job, 'completed_at' | 'kept_days'>;

/** The moment until which a completed job's result is kept. */
export function goneAt({ completed_at, kept_days }: Kept): Date | undefined {
  if (completed_at === undefined || kept_days === undefined) return undefined;
  return new Date(Date.parse(completed_at) + kept_days * 86_400_000);
}

/** Whether a completed job's result has expired, even if the bucket has not deleted it yet. */
export function isGone(job: Kept, now: Date): boolean {
  const end = goneAt(job);
  return end !== undefined && now >= end;
}
