import type { Job } from '../api/types.ts';
import { usd } from '../parts/format.ts';
import { isOpen } from './use-jobs.ts';

/** What it cost, or what is held for it. */
export function Cost({ job }: { readonly job: Job }) {
  if (job.usage !== undefined) return <span>{usd(job.usage.cost)}</span>;
  return <span>{isOpen(job) ? `up to ${usd(job.estimated_cost)}` : usd(0)}</span>;
}
