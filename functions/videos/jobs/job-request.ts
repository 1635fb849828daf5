import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { jsonObjectSchema, type RequestedVideo, requestedVideoSchema } from '../catalogue/requested-video.ts';
import type { Job, JobWithRequest } from './job.ts';

const SUFFIX = '#request';

/**
 * What is asked of a provider has up to 160 KB, is written once and is read when it is submitted. The cost of a write
 * depends on the size of the row, and a job's row is written at every poll. So the request has a row of its own beside
 * it.
 */
export const requestId = ({ id }: Pick<Job, 'id'>): string => `${id}${SUFFIX}`;

/** Longer than the job's row, which is deleted 90 days after the job's end. */
const DAYS_AFTER_DEADLINE = 91;

/** Whether a row in the table of jobs is a request, not a job. */
export const isRequestRow = ({ id }: { readonly id?: unknown }): boolean =>
  typeof id === 'string' && id.endsWith(SUFFIX);

export const requestRow = (job: JobWithRequest) => ({
  id: requestId(job),
  request: job.request,
  ...defined({ other_options: job.other_options }),
  expires_at: Math.floor(job.deadline_at / 1000) + DAYS_AFTER_DEADLINE * 86_400,
});

export const requestRowSchema = v.object({
  request: requestedVideoSchema,
  /** Settings for the other providers that the job may come to, by name; the request has those for the first. */
  other_options: v.exactOptional(v.record(v.string(), jsonObjectSchema)),
});
type RequestRow = v.InferOutput<typeof requestRowSchema>;

/** What is asked of the provider that the job is at. */
export function requestAt(
  { provider }: Pick<Job, 'provider'>,
  { request, other_options: others = {} }: RequestRow,
): RequestedVideo {
  const options = provider === undefined ? undefined : others[provider];
  return options === undefined ? request : { ...request, options };
}
