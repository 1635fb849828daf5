import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, exchange } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const BASE = 'https://api.x.ai/v1';

/** Grok Imagine on xAI's API: nothing can be cancelled, and an answer does not repeat the request's id. */
export const xai: VideoProvider = {
  name: 'xai',
  resubmit: 'none',

  async submit(job, context) {
    const json = await generationOf(job, context);
    const url = endpoint(context, BASE, 'videos/generations');
    const request = { method: 'POST' as const, url, headers: authorization(context), json };
    const { request_id: id } = await exchange(request, createdSchema, context, errors);
    return { ref: { request_id: id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { request_id } = v.parse(createdSchema, ref);
    const url = endpoint(context, BASE, `videos/${encodeURIComponent(request_id)}`);
    const request = { url, headers: authorization(context) };
    return stateOf(await exchange(request, generationSchema, context, errors), context);
  },
};

const createdSchema = v.object({ request_id: v.pipe(v.string(), v.nonEmpty()) });
const text = v.fallback(v.optional(v.string()), undefined);
const progress = v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))), undefined);
const video = v.object({ url: text, respect_moderation: v.fallback(v.optional(v.boolean()), undefined) });
const message = v.pipe(
  v.object({ message: text }),
  v.transform((error) => error.message),
);
/** A status is missing while the work waits; `progress` then tells the answer from any other object. */
const generationSchema = v.pipe(
  v.object({
    status: v.optional(v.string(), ''),
    video: v.fallback(v.nullish(video), undefined),
    error: v.fallback(v.nullish(v.union([v.string(), message])), undefined),
    progress,
  }),
  v.check((answer) => answer.status !== '' || answer.progress !== undefined, 'is not about a generation'),
);
type Generation = v.InferOutput<typeof generationSchema>;

const isModeration = (said: string | null | undefined) =>
  /moderation|content policy|safety/i.test(said ?? '');
const errors: ErrorMap = ({ message: said, code }) =>
  isModeration(said) || isModeration(code) ? 'moderated' : undefined;

function stateOf(generation: Generation, context: ProviderContext): ProviderState {
  const { status, error } = generation;
  if (status === 'done' && generation.video?.respect_moderation === false) {
    return { state: 'failed', reason: 'The provider withheld the video after moderation', moderated: true };
  }
  if (status === 'done') {
    const url = generation.video?.url;
    return { state: 'succeeded', outputs: url === undefined || url === '' ? [] : [{ kind: 'url', url }] };
  }
  if (status === 'failed' || status === 'expired') {
    const reason = presentable(error ?? `The provider reports the job as ${status}`, context.apiKey);
    return { state: status, reason, ...(isModeration(error) ? { moderated: true } : {}) };
  }
  return {
    state: 'running',
    ...(generation.progress === undefined ? {} : { progress: generation.progress }),
  };
}

async function generationOf(job: ProviderJob, context: ProviderContext) {
  const [image] = await Promise.all(job.frameImages.map(({ url }) => context.inputs.link(url)));
  const references = await Promise.all(job.inputReferences.map(({ url }) => context.inputs.link(url)));
  return {
    ...job.options,
    model: job.upstreamModel,
    prompt: job.prompt,
    duration: job.durationSeconds,
    aspect_ratio: job.aspectRatio,
    resolution: job.resolution.toLowerCase(),
    ...(image === undefined ? {} : { image: { url: image } }),
    ...(references.length === 0 ? {} : { reference_images: references.map((url) => ({ url })) }),
  };
}
