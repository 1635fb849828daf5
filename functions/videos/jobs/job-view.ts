import { defined } from '../../defined.ts';
import { microsToUsd } from '../../money/micros.ts';
import { failures } from './failure-kind.ts';
import type { Job, StoredOutput } from './job.ts';
import { goneAt } from './retention.ts';

export const pollingUrl = ({ id }: Pick<Job, 'id'>): string => `/api/v1/videos/${id}`;

/** A job as callers see it: in answers and in events. A field is absent until it exists, and never null. */
export function describeJob(job: Job, publicUrl: string) {
  const path = pollingUrl(job);
  const isOpen = job.phase !== 'settled';
  return {
    id: job.id,
    polling_url: path,
    status: job.status,
    model: job.model,
    provider: job.provider,
    created_at: job.created_at,
    estimated_cost: microsToUsd(job.estimate_micros),
    metadata: job.metadata,
    warnings: job.warnings,
    waiting_for: isOpen ? (job.waiting_for ?? undefined) : undefined,
    generation_id: job.generation_id,
    cancel_requested_at: isOpen ? job.cancel_requested_at : undefined,
    progress: job.progress,
    error: job.error,
    error_details: job.error === undefined ? undefined : failureDetails(job, job.error),
    ...(job.outputs && describeOutputs(job, job.outputs, `${publicUrl}${path}/content`)),
    usage: usageOf(job),
    completed_at: job.completed_at,
  };
}

const usageOf = ({ cost_micros, is_byok }: Job) =>
  cost_micros === undefined ? undefined : { cost: microsToUsd(cost_micros), is_byok };

export function failureDetails({ error_kind, status }: Job, message: string) {
  const { type, retryable } = error_kind ?? FAILURE_OF[status] ?? failures.provider;
  return { type, message, retryable };
}

/** For rows that tell nothing but their status. */
const FAILURE_OF: Readonly<
  Partial<Record<Job['status'], typeof failures.timeout | typeof failures.cancelled>>
> = {
  expired: failures.timeout,
  cancelled: failures.cancelled,
};

/** What callers learn of a result. */
export const describeOutput = (output: StoredOutput) => {
  const { size_bytes, sha256, width, height, duration_seconds: duration } = output;
  return { content_type: 'video/mp4', size_bytes, sha256, ...defined({ width, height, duration }) } as const;
};

function describeOutputs(job: Job, outputs: readonly StoredOutput[], contentUrl: string) {
  return {
    unsigned_urls: outputs.map((_, index) => `${contentUrl}?index=${index}`),
    outputs: outputs.map(describeOutput),
    content_expires_at: goneAt(job)?.toISOString(),
  };
}
