import type { Alternative, Job } from './job.ts';

/**
 * What changes of a job that its provider has certainly not taken and that goes on to the next place. Where it
 * was it comes back to after all others, unless it has no business there any more.
 */
export function nextPlace(job: Job, isForGood: boolean): Partial<Job> {
  const [next, ...rest] = job.alternatives;
  if (next === undefined) return {};
  const { tried = false, ...place } = next;
  return { ...place, tried, alternatives: [...rest, ...(isForGood ? [] : placeLeft(job))] };
}

function placeLeft({ endpoint, provider, estimate_micros, is_byok }: Job): Alternative[] {
  if (endpoint === undefined || provider === undefined) return [];
  return [{ endpoint, provider, estimate_micros, is_byok, tried: true }];
}
