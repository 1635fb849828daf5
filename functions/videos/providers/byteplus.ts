import * as v from 'valibot';
import { micros } from '../../money/micros.ts';
import { dialectSchemas } from './dialects.ts';
import {
  contentParts,
  defined,
  ended,
  expectSameJob,
  maybe,
  nonEmpty,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const ark = vendorApi({
  base: 'https://ark.ap-southeast.bytepluses.com/api/v3',
  errors: ({ code = '' }) => {
    if (isModeration(code)) return 'moderated';
    if (/^ModelNotOpen|^AccountOverdue|^AuthenticationError|^InvalidAccountStatus/.test(code))
      return 'credential';
    return /^(RateLimit|QuotaExceeded|ServerOverloaded)/.test(code) ? 'rate_limited' : undefined;
  },
});
const TASKS = 'contents/generations/tasks';
/** No video takes as many. A larger number is an error, and the row's price counts. */
const MOST_TOKENS = 1_000_000_000;

/** Seedance on BytePlus ModelArk: takes sounds and clips as references, and bills by tokens. */
export const byteplus: VideoProvider = {
  name: 'byteplus',
  manners: manners.byteplus,

  async submit(job, context) {
    const { id } = await ark(context).post(TASKS, { json: await taskOf(job, context) }, createdSchema);
    return { ref: { id, micros_per_token: rateOf(job) }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id, micros_per_token } = v.parse(refSchema, ref);
    const task = await ark(context).get(taskPath(id), taskSchema);
    expectSameJob(id, task.id);
    return stateOf(task, micros_per_token, context);
  },

  async cancel(ref, context) {
    return ark(context).cancel(['DELETE', taskPath(v.parse(refSchema, ref).id)], [400, 409]);
  },
};

const taskPath = (id: string) => `${TASKS}/${encodeURIComponent(id)}`;

const createdSchema = v.object({ id: nonEmpty });
const refSchema = v.object({ id: v.string(), micros_per_token: v.number() });
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  content: maybe(v.object({ video_url: text })),
  error: maybe(v.object({ code: text, message: text })),
  usage: maybe(v.object({ total_tokens: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_TOKENS)) })),
});

const isModeration = (code = '') => /SensitiveContent|PolicyViolation|RiskDetection/i.test(code);

function stateOf(
  { status, content, error, usage }: v.InferOutput<typeof taskSchema>,
  microsPerToken: number,
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'queued':
      return { state: 'queued' };
    case 'succeeded': {
      const isBilled = usage !== undefined && microsPerToken > 0;
      const costMicros = isBilled ? micros(Math.round(usage.total_tokens * microsPerToken)) : undefined;
      return { ...succeeded(content?.video_url), ...defined({ costMicros }) };
    }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const said = error?.message ?? error?.code;
      return ended({ state: status, said, moderated: isModeration(error?.code) }, context);
    }
    default:
      return { state: 'running' };
  }
}

function rateOf({ dialect, generateAudio, inputReferences }: ProviderJob): number {
  const prices = v.parse(dialectSchemas.byteplus, dialect);
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
    ...defined({ seed: job.seed }),
  };
}
