import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, errorOf, exchange, send } from './http-exchange.ts';
import { endpoint, isOwn } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://api.replicate.com/v1';

/** Replicate's predictions. Results are deleted there after an hour, so a late poll finds none. */
export const replicate: VideoProvider = {
  name: 'replicate',
  resubmit: 'none',
  dialect: v.lazy(() => dialectSchema),

  async submit(job, context) {
    const url = endpoint(context, BASE, `models/${job.upstreamModel}/predictions`);
    const json = { input: await inputOf(job, context) };
    const request = { method: 'POST' as const, url, headers: authorization(context), json };
    const { id, urls } = await exchange(request, createdSchema, context, errors);
    const own = endpoint(context, BASE, `predictions/${encodeURIComponent(id)}`);
    const trusted = (address: string | undefined, other: string) =>
      address !== undefined && isOwn(address, own) ? address : other;
    return {
      ref: { id, get: trusted(urls?.get, `${own}`), cancel: trusted(urls?.cancel, `${own}/cancel`) },
      upstreamId: id,
    };
  },

  async poll(ref, context) {
    const { id, get: url } = v.parse(refSchema, ref);
    const request = { url, headers: authorization(context) };
    const prediction = await exchange(request, predictionSchema, context, errors);
    if (prediction.id !== id) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    return stateOf(prediction, context);
  },

  async cancel(ref, context) {
    const url = v.parse(refSchema, ref).cancel;
    const reply = await send({ method: 'POST', url, headers: authorization(context) }, context);
    const parsed = v.safeParse(predictionSchema, reply.body);
    if (reply.status < 300)
      return parsed.success && parsed.output.status === 'canceled' ? 'cancelled' : 'requested';
    if (reply.status === 404 || reply.status === 422) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const address = v.fallback(v.optional(v.string()), undefined);
const createdSchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  urls: v.fallback(v.optional(v.object({ get: address, cancel: address })), undefined),
});
const refSchema = v.object({ id: v.string(), get: v.string(), cancel: v.string() });
const url = v.pipe(v.string(), v.nonEmpty());
const predictionSchema = v.object({
  id: v.string(),
  status: v.string(),
  error: v.fallback(v.nullish(v.string()), undefined),
  output: v.fallback(
    v.union([
      v.array(url),
      v.pipe(
        url,
        v.transform((one) => [one]),
      ),
    ]),
    [],
  ),
});

/** Moderation has no code of its own; the models' texts have these in common. */
const isModeration = (text = '') => /flagged as sensitive|\(E005\)|content policy/i.test(text);
const errors: ErrorMap = ({ message }) => (isModeration(message) ? 'moderated' : undefined);

function stateOf(
  { status, output, error }: v.InferOutput<typeof predictionSchema>,
  context: ProviderContext,
): ProviderState {
  if (status === 'starting') return { state: 'queued' };
  if (status === 'succeeded') {
    return { state: 'succeeded', outputs: output.map((url) => ({ kind: 'url', url })) };
  }
  if (status === 'canceled' || status === 'aborted') {
    return { state: 'cancelled', reason: `The provider reports the job as ${status}` };
  }
  if (status !== 'failed') return { state: 'running' };
  const reason = presentable(error ?? 'The provider reports the job as failed', context.apiKey);
  return { state: 'failed', reason, ...(isModeration(error ?? '') ? { moderated: true } : {}) };
}

/** The names that a model's own schema has for what is asked; most models lack some of them. */
const dialectSchema = v.strictObject({
  duration: v.optional(v.boolean(), true),
  resolution: v.optional(v.boolean(), false),
  audio: v.optional(v.boolean(), false),
  /** A tier of the model, for those that are one model with a `mode`. */
  mode: v.exactOptional(v.string()),
  first_frame: v.optional(v.string(), 'image'),
  last_frame: v.optional(v.string(), 'last_frame'),
  references: v.optional(v.string(), 'reference_images'),
});

async function inputOf(job: ProviderJob, context: ProviderContext): Promise<Record<string, unknown>> {
  const dialect = v.parse(dialectSchema, job.dialect);
  const link = ({ url }: { url: string }) => context.inputs.link(url);
  const frames = job.frameImages.map(async (image) => [dialect[image.frameType], await link(image)]);
  const references = await Promise.all(job.inputReferences.map(link));
  return {
    ...job.options,
    prompt: job.prompt,
    aspect_ratio: job.aspectRatio,
    ...(dialect.duration ? { duration: job.durationSeconds } : {}),
    ...(dialect.resolution ? { resolution: job.resolution } : {}),
    ...(dialect.audio ? { generate_audio: job.generateAudio } : {}),
    ...(dialect.mode === undefined ? {} : { mode: dialect.mode }),
    ...(job.seed === undefined ? {} : { seed: job.seed }),
    ...Object.fromEntries(await Promise.all(frames)),
    ...(references.length === 0 ? {} : { [dialect.references]: references }),
  };
}
