import * as v from 'valibot';
import { defined } from '../../defined.ts';
import type { MakeLink } from '../../downloads/links.ts';
import { count, instant, url, usd } from '../../http/answer-schemas.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { mayDo } from '../../http/scope.ts';
import { micros, microsToUsd } from '../../money/micros.ts';
import { VIDEO_ID } from '../video-id.ts';
import {
  goneAt,
  isGone,
  JOB_STATUSES,
  type Job,
  type Stills,
  type StoredOutput,
  WAIT_REASONS,
} from './job.ts';
import { FAILURE_TYPES, failures } from './job-failure.ts';

/** A result in answers, events and private logs. */
export const shownOutputSchema = v.object({
  content_type: v.literal('video/mp4'),
  size_bytes: count,
  sha256: v.pipe(v.string(), v.description('SHA-256 of the video, in hexadecimal')),
  width: v.optional(v.pipe(count, v.description('Width in pixels, read from the video'))),
  height: v.optional(v.pipe(count, v.description('Height in pixels, read from the video'))),
  duration: v.optional(v.pipe(v.number(), v.description('Duration in seconds, read from the video'))),
});

const text = (says: string) => v.pipe(v.string(), v.description(says));
const optionalText = (says: string) => v.optional(text(says));

const pricesSchema = v.object({
  estimated_cost: v.pipe(usd, v.description('The price at the endpoint that Genway tries first, in USD')),
  max_cost: v.pipe(
    usd,
    v.description(
      'The highest price among the endpoints that may serve the job, in USD. Once submitted, a job never costs more than its own `max_cost`',
    ),
  ),
});

/** A job in answers and events: a field appears when it exists, and is never null. No event has links that need no key. */
export const shownJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  polling_url: text('Path of the job: `/api/v1/videos/<id>`'),
  status: v.pipe(
    v.picklist(JOB_STATUSES),
    v.description(
      'Status of the job. `pending` and `in_progress` are not final. All others are, unless an operator lets a failed job continue',
    ),
  ),
  model: text(
    'The `model` of the submission. For an edit or extension without `model`, the model of the video that it edits or extends',
  ),
  provider: optionalText(
    'The provider that accepted the job. If none has, the provider that Genway selected last',
  ),
  created_at: instant,
  ...pricesSchema.entries,
  metadata: v.optional(
    v.pipe(v.record(v.string(), v.string()), v.description('The `metadata` of the submission')),
  ),
  user: optionalText('The `user` of the submission'),
  session_id: optionalText('The `session_id` of the submission, or its `x-session-id` header'),
  trace: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]))),
  warnings: v.optional(
    v.pipe(
      v.array(v.string()),
      v.description(
        'Warnings about unknown fields, which Genway ignored, and about fields that it used only in part',
      ),
    ),
  ),
  waiting_for: v.optional(
    v.pipe(
      v.object({
        reason: v.picklist(WAIT_REASONS),
        until: instant,
        error: optionalText('Why an earlier submission to a provider failed'),
      }),
      v.description('Why the job is waiting, and when Genway tries again'),
    ),
  ),
  generation_id: optionalText('ID for `GET /generation`. Present once the provider has accepted the job'),
  cancel_requested_at: v.optional(
    v.pipe(instant, v.description('Time at which cancellation was requested. Absent once the job has ended')),
  ),
  progress: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0),
      v.maxValue(100),
      v.description(
        'Approximate progress in percent. It never decreases, and is 100 once the job has completed. Absent until there is progress',
      ),
    ),
  ),
  error: optionalText('Why the job failed, expired or was cancelled'),
  error_details: v.optional(
    v.object({
      type: v.picklist(FAILURE_TYPES),
      message: v.string(),
      retryable: v.pipe(
        v.boolean(),
        v.description('Whether the same submission may succeed on a retry. `false` if the job was cancelled'),
      ),
    }),
  ),
  unsigned_urls: v.optional(
    v.pipe(
      v.array(url),
      v.description(
        'URLs of the results, once the job has completed. Downloads require a key with the operation group `content`',
      ),
    ),
  ),
  outputs: v.optional(v.array(shownOutputSchema)),
  content_expires_at: v.optional(v.pipe(instant, v.description('When the results expire'))),
  usage: v.optional(
    v.object({
      cost: v.pipe(usd, v.description('Cost in USD')),
      is_byok: v.boolean(),
    }),
  ),
  completed_at: v.optional(instant),
  urls: v.optional(
    v.pipe(
      v.array(url),
      v.description(
        'Signed links to the results. They need no key, and expire after at most an hour. Present from the completion of the job until the results expire. Absent in webhooks, and if the key lacks the operation group `content`',
      ),
    ),
  ),
  thumbnail_urls: v.optional(
    v.pipe(
      v.array(v.nullable(url)),
      v.description(
        'Signed links to a JPEG of the first frame of each result, at most 512 pixels a side. The links need no key, and expire after at most an hour. An entry is null if no thumbnail could be created. Absent where `urls` is absent, and until the thumbnails exist, usually a few seconds after the job has completed',
      ),
    ),
  ),
});

export const estimateSchema = v.object({
  ...pricesSchema.entries,
  cost: v.pipe(usd, v.description('The same as `max_cost`')),
  currency: v.literal('USD'),
  endpoint: v.pipe(
    v.object({ model: text('The `model` of the request'), provider: v.optional(v.string()) }),
    v.description('The endpoint that Genway would try first'),
  ),
  fits: v.pipe(
    v.boolean(),
    v.description('Whether this request, submitted now, would fit within all spending limits'),
  ),
  remaining: v.pipe(
    v.nullable(usd),
    v.description(
      'The smallest remaining amount of any spending limit that applies to the job, in USD. Null if no limit applies',
    ),
  ),
});

export const deletedJobSchema = v.object({
  id: v.pipe(v.string(), v.regex(VIDEO_ID)),
  object: v.literal('video.deleted'),
  deleted: v.literal(true),
});

/** The history of a job, in order. */
export const shownHistorySchema = v.object({
  data: v.array(
    v.object({
      at: instant,
      status: v.pipe(v.picklist(JOB_STATUSES), v.description('Status of the job after the event')),
      provider: optionalText(
        'The provider that accepted the job or, if the event is a move, the provider before the move. Absent in other events',
      ),
      endpoint: optionalText(
        'The endpoint that accepted the job or, if the event is a move, the endpoint before the move. Absent in other events',
      ),
      detail: v.optional(v.string()),
    }),
  ),
});

export const pollingUrl = ({ id }: Pick<Job, 'id'>): string => `/api/v1/videos/${id}`;

/** The inverse of `pollingUrl`. */
export const jobIdAt = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** A job as callers see it: in answers and in events. A field is absent until it exists, and never null. */
export function describeJob(job: Job, publicUrl: string): v.InferOutput<typeof shownJobSchema> {
  const path = pollingUrl(job);
  const isOpen = job.phase !== 'settled';
  return {
    id: job.id,
    polling_url: path,
    status: job.status,
    model: job.model,
    provider: job.provider,
    created_at: job.created_at,
    ...pricesOf(job),
    metadata: job.metadata,
    user: job.user,
    session_id: job.session_id,
    trace: job.trace,
    warnings: job.warnings,
    waiting_for: isOpen ? waitOf(job) : undefined,
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

const waitOf = ({ waiting_for: wait, submit_error: error }: Job) =>
  wait == null ? undefined : { ...wait, ...defined({ error }) };

/** What a submit is told that the job may cost. */
export function pricesOf({ quote, estimate_micros }: Job): v.InferOutput<typeof pricesSchema> {
  const { estimated_micros = estimate_micros, max_micros = estimate_micros } = quote ?? {};
  return { estimated_cost: microsToUsd(estimated_micros), max_cost: microsToUsd(max_micros) };
}

/** Of every job that has ended; most that fail cost nothing. */
const usageOf = ({ cost_micros = micros(0), is_byok, phase }: Job) =>
  phase === 'settled' ? { cost: microsToUsd(cost_micros), is_byok } : undefined;

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
export const describeOutput = (output: StoredOutput): v.InferOutput<typeof shownOutputSchema> => {
  const { size_bytes, sha256, width, height, duration_seconds: duration } = output;
  return { content_type: 'video/mp4', size_bytes, sha256, ...defined({ width, height, duration }) };
};

function describeOutputs(job: Job, outputs: readonly StoredOutput[], contentUrl: string) {
  return {
    unsigned_urls: outputs.map((_, index) => `${contentUrl}?index=${index}`),
    outputs: outputs.map(describeOutput),
    content_expires_at: goneAt(job)?.toISOString(),
  };
}

/**
 * A job as answers show it: also with links to its results that need no key, for callers who may see these. No webhook has
 * those.
 */
export async function describeWithLinks(
  job: Job,
  { principal, publicUrl }: Pick<AuthenticatedCall, 'principal' | 'publicUrl'>,
  makeLink: MakeLink,
  now: Date,
): Promise<v.InferOutput<typeof shownJobSchema>> {
  const shown = describeJob(job, publicUrl);
  if (!mayDo(principal, 'content')) return shown;
  const urls = await resultLinks(job, makeLink, now);
  return { ...shown, ...defined({ urls, thumbnail_urls: await thumbnailLinks(job, makeLink, now) }) };
}

async function thumbnailLinks(job: Job, makeLink: MakeLink, now: Date) {
  if (job.stills === undefined || isGone(job, now)) return undefined;
  const link = async ({ thumbnail: key }: Stills) =>
    key === undefined
      ? null
      : (await makeLink({ key, shownAs: 'picture', goneAt: goneAt(job) }, now, LINK_SECONDS)).url;
  return Promise.all(job.stills.map(link));
}

const LINK_SECONDS = 3600;

/**
 * Addresses of a job's results that need no key, each valid for an hour; none while there are no results, or once they
 * are gone.
 */
export async function resultLinks(job: Job, makeLink: MakeLink, now: Date): Promise<string[] | undefined> {
  if (job.outputs === undefined || isGone(job, now)) return undefined;
  const links = job.outputs.map(({ key }) =>
    makeLink({ key, shownAs: 'video', goneAt: goneAt(job) }, now, LINK_SECONDS),
  );
  return (await Promise.all(links)).map(({ url }) => url);
}
