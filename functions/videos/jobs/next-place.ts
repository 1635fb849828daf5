import type { Alternative, Job } from './job.ts';

/**
 * The changes that send a job on to its next place, when its provider has certainly not taken it. It comes back to the
 * place that it leaves after all others, unless it must not come back.
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
