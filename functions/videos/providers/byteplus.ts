import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { contentParts } from './content-parts.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, errorOf, exchange, send } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://ark.ap-southeast.bytepluses.com/api/v3';
const TASKS = 'contents/generations/tasks';
/** No video takes as many; a claim above it is an error, and the row's price holds. */
const MOST_TOKENS = 1_000_000_000;

/** Seedance on BytePlus ModelArk: takes sounds and clips as references, and bills by tokens. */
export const byteplus: VideoProvider = {
  name: 'byteplus',
  resubmit: 'none',
  dialect: v.lazy(() => dialectSchema),

  async submit(job, context) {
    const json = await taskOf(job, context);
    const request = { method: 'POST' as const, url: endpoint(context, BASE, TASKS), json };
    const sent = { ...request, headers: authorization(context) };
    const { id } = await exchange(sent, createdSchema, context, errors);
    return { ref: { id, micros_per_token: rateOf(job) }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id, micros_per_token } = v.parse(refSchema, ref);
    const request = { url: taskUrl(id, context), headers: authorization(context) };
    const task = await exchange(request, taskSchema, context, errors);
    if (task.id !== id) throw new ProviderError('unavailable', 'The provider answered about another job');
    return stateOf(task, micros_per_token, context);
  },

  /** Possible while the task waits; one that runs is refused. */
  async cancel(ref, context) {
    const url = taskUrl(v.parse(refSchema, ref).id, context);
    const reply = await send({ method: 'DELETE', url, headers: authorization(context) }, context);
    if (reply.status < 300) return 'cancelled';
    if (reply.status === 400 || reply.status === 404 || reply.status === 409) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const taskUrl = (id: string, context: ProviderContext) =>
  endpoint(context, BASE, `${TASKS}/${encodeURIComponent(id)}`);

const createdSchema = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const refSchema = v.object({ id: v.string(), micros_per_token: v.number() });
const text = v.fallback(v.optional(v.string()), undefined);
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  content: v.fallback(v.nullish(v.object({ video_url: text })), undefined),
  error: v.fallback(v.nullish(v.object({ code: text, message: text })), undefined),
  usage: v.fallback(
    v.nullish(v.object({ total_tokens: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_TOKENS)) })),
    undefined,
  ),
});

const isModeration = (code = '') => /SensitiveContent|PolicyViolation|RiskDetection/i.test(code);
const errors: ErrorMap = ({ code = '' }) => {
  if (isModeration(code)) return 'moderated';
  if (/^ModelNotOpen|^AccountOverdue|^AuthenticationError|^InvalidAccountStatus/.test(code))
    return 'credential';
  return /^(RateLimit|QuotaExceeded|ServerOverloaded)/.test(code) ? 'rate_limited' : undefined;
};

function stateOf(
  { status, content, error, usage }: v.InferOutput<typeof taskSchema>,
  microsPerToken: number,
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'queued':
      return { state: 'queued' };
    case 'succeeded': {
      const url = content?.video_url;
      const isBilled = usage != null && microsPerToken > 0;
      return {
        state: 'succeeded',
        outputs: url === undefined || url === '' ? [] : [{ kind: 'url', url }],
        ...(isBilled ? { costMicros: Math.round(usage.total_tokens * microsPerToken) } : {}),
      };
    }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const said = error?.message ?? error?.code ?? `The provider reports the job as ${status}`;
      const reason = presentable(said, context.apiKey);
      return { state: status, reason, ...(isModeration(error?.code) ? { moderated: true } : {}) };
    }
    default:
      return { state: 'running' };
  }
}

/** Dollars for a million tokens, which are micro-dollars for one; without them the row's own price holds. */
const dialectSchema = v.strictObject({
  token_price_silent: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  token_price_with_audio: v.optional(v.pipe(v.number(), v.minValue(0)), 0),
  /** Where a clip among the references has a price of its own. */
  token_price_from_video: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
});

function rateOf({ dialect, generateAudio, inputReferences }: ProviderJob): number {
  const prices = v.parse(dialectSchema, dialect);
  const hasVideo = inputReferences.some(({ kind }) => kind === 'video');
  const fromVideo = hasVideo ? prices.token_price_from_video : undefined;
  return fromVideo ?? (generateAudio ? prices.token_price_with_audio : prices.token_price_silent);
}

async function taskOf(job: ProviderJob, context: ProviderContext) {
  return {
    ...job.options,
    model: job.upstreamModel,
    content: await contentParts(job, context),
    ratio: job.aspectRatio,
    resolution: job.resolution.toLowerCase(),
    duration: job.durationSeconds,
    generate_audio: job.generateAudio,
    ...(job.seed === undefined ? {} : { seed: job.seed }),
  };
}
