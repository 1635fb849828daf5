import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { type RequestedVideo, requestedVideoSchema } from '../catalogue/requested-video.ts';
import { jsonObjectSchema } from '../providers/json-object.ts';
import type { Job, JobWithRequest } from './job.ts';

const SUFFIX = '#request';

/**
 * What is asked of a provider is up to 160 KB, is written once and is read when it is submitted. A write costs by
 * the whole row, so it has a row of its own beside the job's, which is written at every poll.
 */
export const requestId = ({ id }: Pick<Job, 'id'>): string => `${id}${SUFFIX}`;

/** Longer than the job's row, which goes 90 days after its end. */
const DAYS_AFTER_DEADLINE = 91;

/** Whether a row of the table of jobs is no job. */
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
  /** Of the other providers that the job may come to, by name; the request has those of the first. */
  other_options: v.exactOptional(v.record(v.string(), jsonObjectSchema)),
});
type RequestRow = v.InferOutput<typeof requestRowSchema>;

/** What is asked of the provider where the job is. */
export function requestAt(
  { provider }: Pick<Job, 'provider'>,
  { request, other_options: others = {} }: RequestRow,
): RequestedVideo {
  const options = provider === undefined ? undefined : others[provider];
  return options === undefined ? request : { ...request, options };
}
