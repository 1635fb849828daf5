import * as v from 'valibot';
import { count, dataSchema, instant, usd } from '../http/answer-schemas.ts';
import { microsToUsd } from '../money/micros.ts';
import { JOB_STATUSES } from '../videos/jobs/job.ts';
import { FAILURE_TYPES } from '../videos/jobs/job-failure.ts';
import { type Generation, generationQuery } from './generation.ts';

const milliseconds = (of: string) => v.nullable(v.pipe(count, v.description(`Milliseconds ${of}`)));

/** Fields that clients of the imitated API expect and that videos do not have. */
const NOT_OF_VIDEOS = {
  app_id: null,
  cache_discount: null,
  http_referer: null,
  moderation_latency: null,
  native_tokens_cached: null,
  native_tokens_completion: null,
  native_tokens_completion_images: null,
  native_tokens_prompt: null,
  native_tokens_reasoning: null,
  num_fetches: null,
  num_input_audio_prompt: null,
  num_media_prompt: null,
  num_search_results: null,
  preset_id: null,
  provider_responses: null,
  request_id: null,
  router: null,
  service_tier: null,
  tokens_completion: null,
  tokens_prompt: null,
  upstream_inference_cost: null,
  user_agent: null,
  web_search_engine: null,
} as const;

/** A generation as its workspace may see it. */
export const shownGenerationSchema = v.object({
  id: generationQuery.id,
  job_id: v.string(),
  workspace_id: v.string(),
  api_type: v.literal('video'),
  model: v.string(),
  endpoint: v.nullable(
    v.pipe(
      v.string(),
      v.description('ID of the endpoint that served the job. Null for jobs of older versions of Genway'),
    ),
  ),
  provider_name: v.nullable(v.string()),
  is_byok: v.boolean(),
  upstream_id: v.nullable(v.string()),
  external_user: v.nullable(
    v.pipe(v.string(), v.description('The `user` of the submission. Null if the submission had none')),
  ),
  session_id: v.nullable(
    v.pipe(
      v.string(),
      v.description(
        'The `session_id` of the submission, or its `x-session-id` header. Null if the submission had none',
      ),
    ),
  ),
  status: v.picklist(JOB_STATUSES),
  created_at: instant,
  completed_at: v.nullable(instant),
  latency: milliseconds('from the submission to the end of the job. Null until the job has ended'),
  generation_time: milliseconds(
    'from the provider’s acceptance to the end of the job. Null until the job has ended, and if the time of acceptance is unknown',
  ),
  total_cost: usd,
  usage: v.pipe(usd, v.description('The same as `total_cost`')),
  finish_reason: v.nullable(v.picklist(['stop', 'content_filter', 'error'])),
  native_finish_reason: v.nullable(
    v.pipe(v.string(), v.description('Final status of the job. Null until it has ended')),
  ),
  cancelled: v.boolean(),
  num_media_completion: v.pipe(count, v.description('Number of videos in the result')),
  error: v.nullable(
    v.object({ type: v.picklist(FAILURE_TYPES), message: v.string(), retryable: v.boolean() }),
  ),
  streamed: v.literal(false),
  data_region: v.literal('global'),
  origin: v.literal(''),
  ...Object.fromEntries(Object.keys(NOT_OF_VIDEOS).map((name) => [name, v.null()])),
});

export const generationAnswerSchema = dataSchema(shownGenerationSchema);

export function describeGeneration(generation: Generation): v.InferOutput<typeof shownGenerationSchema> {
  const { completed_at: end, cost_micros, failure, outputs } = generation;
  const cost = microsToUsd(cost_micros);
  return {
    id: generation.id,
    job_id: generation.job_id,
    workspace_id: generation.workspace_id,
    api_type: 'video',
    model: generation.model,
    endpoint: generation.endpoint ?? null,
    provider_name: generation.provider ?? null,
    is_byok: generation.is_byok,
    upstream_id: generation.upstream_id ?? null,
    external_user: generation.user ?? null,
    session_id: generation.session_id ?? null,
    status: generation.status,
    created_at: generation.created_at,
    completed_at: end ?? null,
    latency: millisecondsBetween(generation.created_at, end),
    generation_time: millisecondsBetween(generation.accepted_at, end),
    total_cost: cost,
    usage: cost,
    finish_reason: finishReasonOf(generation),
    native_finish_reason: end === undefined ? null : generation.status,
    cancelled: generation.status === 'cancelled',
    num_media_completion: outputs.length,
    error: failure ?? null,
    streamed: false,
    data_region: 'global',
    origin: '',
    ...NOT_OF_VIDEOS,
  };
}

function finishReasonOf({ status, failure }: Generation): 'stop' | 'content_filter' | 'error' | null {
  if (status === 'completed') return 'stop';
  if (failure === undefined || status === 'cancelled') return null;
  return failure.type === 'moderation' ? 'content_filter' : 'error';
}

const millisecondsBetween = (begin: string | undefined, end: string | undefined): number | null =>
  begin === undefined || end === undefined ? null : Date.parse(end) - Date.parse(begin);
