import * as v from 'valibot';
import { dialectSchemas } from './dialects.ts';
import { defined, ended, expectSameJob, maybe, nonEmpty, ownOr, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const replicateApi = vendorApi({
  base: 'https://api.replicate.com/v1',
  errors: ({ message }) => (isModeration(message) ? 'moderated' : undefined),
});

/** Replicate's predictions. Results are deleted there after an hour, so a late poll finds none. */
export const replicate: VideoProvider = {
  name: 'replicate',
  manners: manners.replicate,

  async submit(job, context) {
    const api = replicateApi(context);
    const calling = job.callbackUrl && { webhook: job.callbackUrl, webhook_events_filter: ['completed'] };
    const json = { input: await inputOf(job, context), ...calling };
    const { id, urls } = await api.post(`models/${job.upstreamModel}/predictions`, { json }, createdSchema);
    const path = `predictions/${encodeURIComponent(id)}`;
    return {
      ref: {
        id,
        get: ownOr(api.url(path), urls?.get),
        cancel: ownOr(api.url(`${path}/cancel`), urls?.cancel),
      },
      upstreamId: id,
    };
  },

  async poll(ref, context) {
    const { id, get } = v.parse(refSchema, ref);
    const prediction = await replicateApi(context).get(get, predictionSchema);
    expectSameJob(id, prediction.id);
    return stateOf(prediction, context);
  },

  async cancel(ref, context) {
    const call = ['POST', v.parse(refSchema, ref).cancel] as const;
    return replicateApi(context).cancel(call, [422], ({ body }) => {
      const { success, output } = v.safeParse(predictionSchema, body);
      return success && output.status === 'canceled' ? 'cancelled' : 'requested';
    });
  },

  checkKey: (context) => replicateApi(context).get('account', v.object({ username: v.string() })),
};

const createdSchema = v.object({ id: nonEmpty, urls: maybe(v.object({ get: text, cancel: text })) });
const refSchema = v.object({ id: v.string(), get: v.string(), cancel: v.string() });
const oneUrl = v.pipe(
  nonEmpty,
  v.transform((url) => [url]),
);
const predictionSchema = v.object({
  id: v.string(),
  status: v.string(),
  error: text,
  output: v.fallback(v.union([v.array(nonEmpty), oneUrl]), []),
});

/** Moderation has no code of its own; these words are common to the models' messages. */
const isModeration = (text = '') => /flagged as sensitive|\(E005\)|content policy/i.test(text);

function stateOf(
  { status, output, error }: v.InferOutput<typeof predictionSchema>,
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'starting':
      return { state: 'queued' };
    case 'succeeded':
      return succeeded(...output);
    case 'canceled':
    case 'aborted':
      return ended({ state: 'cancelled', said: `The provider reports the job as ${status}` }, context);
    case 'failed':
      return ended({ state: 'failed', said: error, moderated: isModeration(error) }, context);
    default:
      return { state: 'running' };
  }
}

async function inputOf(job: ProviderJob, context: ProviderContext): Promise<Record<string, unknown>> {
  const dialect = v.parse(dialectSchemas.replicate, job.dialect);
  const link = ({ url }: { url: string }) => context.inputs.link(url);
  const frames = job.frameImages.map(async (image) => [dialect[image.frameType], await link(image)]);
  const references = await Promise.all(job.inputReferences.map(link));
  return {
    ...job.options,
    prompt: job.prompt,
    aspect_ratio: job.aspectRatio,
    ...(dialect.duration ? { duration: job.durationSeconds } : {}),
    ...(dialect.resolution ? { resolution: job.resolution } : {}),
    ...(dialect.audio ? { [dialect.audio_field]: job.generateAudio } : {}),
    ...defined({ mode: dialect.mode, seed: job.seed }),
    ...Object.fromEntries(await Promise.all(frames)),
    ...(references.length === 0 ? {} : { [dialect.references]: references }),
  };
}
