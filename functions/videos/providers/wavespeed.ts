import * as v from 'valibot';
import { dialectSchemas } from './dialects.ts';
import {
  defined,
  ended,
  expectSameJob,
  framesOf,
  nonEmpty,
  ownOr,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const wavespeedApi = vendorApi({
  base: 'https://api.wavespeed.ai/api/v3',
  errors: ({ message = '' }) => {
    if (isModeration(message)) return 'moderated';
    return /insufficient (credit|balance|fund)/i.test(message) ? 'credential' : undefined;
  },
});

/** WaveSpeedAI: one protocol for the models of many vendors. Nothing can be cancelled, and failures cost nothing. */
export const wavespeed: VideoProvider = {
  name: 'wavespeed',
  manners: manners.wavespeed,

  async submit(job, context) {
    const api = wavespeedApi(context);
    const { path, json } = await submission(job, context);
    const { data } = await api.post(`./${path}`, { json }, createdSchema);
    const own = api.url(`predictions/${encodeURIComponent(data.id)}/result`);
    return { ref: { id: data.id, get: ownOr(own, data.urls.get) }, upstreamId: data.id };
  },

  async poll(ref, context) {
    const { id, get } = v.parse(refSchema, ref);
    const { data } = await wavespeedApi(context).get(get, predictionSchema);
    expectSameJob(id, data.id);
    return stateOf(data, context);
  },

  checkKey: (context) =>
    wavespeedApi(context).get('balance', v.object({ data: v.object({ balance: v.number() }) })),
};

const createdSchema = v.object({
  data: v.object({ id: nonEmpty, urls: v.fallback(v.object({ get: text }), {}) }),
});
const refSchema = v.object({ id: v.string(), get: v.string() });
const predictionSchema = v.object({
  data: v.object({
    id: v.string(),
    status: v.string(),
    outputs: v.fallback(v.array(nonEmpty), []),
    error: text,
  }),
});

const isModeration = (said = '') => /flagged|sensitive|moderation|content polic/i.test(said);

function stateOf(
  { status, outputs, error }: v.InferOutput<typeof predictionSchema>['data'],
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'created':
      return { state: 'queued' };
    case 'completed':
      return succeeded(...outputs);
    case 'failed':
      return ended({ state: 'failed', said: error, moderated: isModeration(error) }, context);
    default:
      return { state: 'running' };
  }
}

async function submission(job: ProviderJob, context: ProviderContext) {
  const { first_frame_model, last_frame } = v.parse(dialectSchemas.wavespeed, job.dialect);
  const { first, last } = framesOf(job);
  const link = async (url: string | undefined) => (url === undefined ? url : context.inputs.link(url));
  return {
    path: (first === undefined ? undefined : first_frame_model) ?? job.upstreamModel,
    json: {
      ...job.options,
      prompt: job.prompt,
      resolution: job.resolution.toLowerCase(),
      duration: job.durationSeconds,
      ...defined({ aspect_ratio: job.aspectRatio, seed: job.seed }),
      image: await link(first),
      [last_frame]: await link(last),
    },
  };
}
