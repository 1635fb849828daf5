import * as v from 'valibot';
import { chargeForTokens } from '../catalogue/price.ts';
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
    return { ref: { id, ...defined({ micros_per_token: job.tariff.token }) }, upstreamId: id };
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

  checkKey: (context) => ark(context).get(`${TASKS}?page_size=1`, v.object({ total: v.number() })),
};

const taskPath = (id: string) => `${TASKS}/${encodeURIComponent(id)}`;

const createdSchema = v.object({ id: nonEmpty });
const refSchema = v.object({ id: v.string(), micros_per_token: v.exactOptional(v.number()) });
const tokens = maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_TOKENS)));
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  content: maybe(v.object({ video_url: text })),
  error: maybe(v.object({ code: text, message: text })),
  usage: maybe(v.object({ total_tokens: tokens, completion_tokens: tokens })),
});

const isModeration = (code = '') => /SensitiveContent|PolicyViolation|RiskDetection/i.test(code);

function stateOf(
  { status, content, error, usage }: v.InferOutput<typeof taskSchema>,
  token: number | undefined,
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'queued':
      return { state: 'queued' };
    case 'succeeded': {
      // Only `completion_tokens` is documented; both have the same value.
      const counted = usage?.total_tokens || usage?.completion_tokens;
      const isBilled = counted !== undefined && token !== undefined && token > 0;
      const costMicros = isBilled ? chargeForTokens({ token }, { video: counted }) : undefined;
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

/** A video to go on with is a clip among the references, and what to do with it is said beside. */
const withSource = (job: ProviderJob): ProviderJob =>
  job.source === undefined ? job : { ...job, inputReferences: [{ kind: 'video', url: job.source.url }] };

async function taskOf(job: ProviderJob, context: ProviderContext) {
  return {
    // Some of its pages say that the default is true.
    watermark: false,
    ...job.options,
    model: job.upstreamModel,
    content: await contentParts(withSource(job), context),
    ratio: job.aspectRatio ?? 'adaptive',
    resolution: job.resolution.toLowerCase(),
    // An edited video is as long as it was, which is asked for by -1.
    duration: job.source?.continuation === 'edit' ? -1 : job.durationSeconds,
    generate_audio: job.generateAudio,
    ...defined({
      seed: job.seed,
      callback_url: job.callbackUrl,
      omni_reference_task_type: job.source?.continuation,
    }),
  };
}
