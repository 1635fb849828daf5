import { defined } from '../../defined.ts';
import { microsToUsd } from '../../money/micros.ts';
import { failures } from './failure-kind.ts';
import type { Job, StoredOutput } from './job.ts';
import { goneAt } from './retention.ts';

export const pollingUrl = ({ id }: Pick<Job, 'id'>): string => `/api/v1/videos/${id}`;

/** A job as callers see it: in answers and in events. A field appears when it exists, and is never null. */
export function describeJob(job: Job, publicUrl: string) {
  const path = pollingUrl(job);
  return {
    id: job.id,
    polling_url: path,
    status: job.status,
    model: job.model,
    ...(job.provider === undefined ? {} : { provider: job.provider }),
    created_at: job.created_at,
    estimated_cost: microsToUsd(job.estimate_micros),
    ...(job.metadata === undefined ? {} : { metadata: job.metadata }),
    ...(job.warnings === undefined ? {} : { warnings: job.warnings }),
    ...(job.waiting_for && job.phase !== 'settled' ? { waiting_for: job.waiting_for } : {}),
    ...(job.generation_id === undefined ? {} : { generation_id: job.generation_id }),
    ...(job.cancel_requested_at === undefined || job.phase === 'settled'
      ? {}
      : { cancel_requested_at: job.cancel_requested_at }),
    ...(job.progress === undefined ? {} : { progress: job.progress }),
    ...(job.error === undefined ? {} : { error: job.error, error_details: failureDetails(job, job.error) }),
    ...(job.outputs === undefined ? {} : describeOutputs(job, job.outputs, `${publicUrl}${path}/content`)),
    ...(job.cost_micros === undefined
      ? {}
      : { usage: { cost: microsToUsd(job.cost_micros), is_byok: job.is_byok } }),
    ...(job.completed_at === undefined ? {} : { completed_at: job.completed_at }),
  };
}

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
  const end = goneAt(job);
  return {
    unsigned_urls: outputs.map((_, index) => `${contentUrl}?index=${index}`),
    outputs: outputs.map(describeOutput),
    ...(end === undefined ? {} : { content_expires_at: end.toISOString() }),
  };
}
