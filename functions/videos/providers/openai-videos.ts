import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, errorOf, exchange, type ProviderRequest, send } from './http-exchange.ts';
import { endpoint, isOwn } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderOutput,
  type ProviderRef,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

/** Where vLLM-Omni and SGLang listen by default; a stage names its own. */
const BASE = 'http://127.0.0.1:8000/v1';

/**
 * Any server of the `/v1/videos` shape: vLLM-Omni (multipart), SGLang (JSON), other gateways. They differ
 * in their words for a state, in wrapping the answer, and in where they say the result is.
 */
export const openaiVideos: VideoProvider = {
  name: 'openai-videos',
  resubmit: 'none',

  async submit(job, context) {
    const request = await creation(job, context);
    const { id } = await exchange(request, createdSchema, context, errors);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context): Promise<ProviderState> {
    const { id } = v.parse(refSchema, ref);
    const url = endpoint(context, BASE, `videos/${encodeURIComponent(id)}`);
    const video = await exchange({ url, headers: authorization(context) }, videoSchema, context, errors);
    if (video.id !== undefined && video.id !== id) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    const state = STATES[video.status.toLowerCase()];
    if (state === 'succeeded') return { state, outputs: [output(video, url, context)] };
    if (state === 'failed' || state === 'cancelled' || state === 'expired')
      return ended(state, video, context);
    const progress = video.progress === undefined ? {} : { progress: video.progress };
    return { state: state ?? 'running', ...progress };
  },

  async cancel(ref: ProviderRef, context) {
    const url = endpoint(context, BASE, `videos/${encodeURIComponent(v.parse(refSchema, ref).id)}`);
    const reply = await send({ method: 'DELETE', url, headers: authorization(context) }, context);
    if (reply.status < 300) return 'cancelled';
    if (reply.status < 500 && reply.status !== 429) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const STATES: Readonly<Record<string, ProviderState['state']>> = {
  queued: 'queued',
  pending: 'queued',
  in_progress: 'running',
  processing: 'running',
  running: 'running',
  completed: 'succeeded',
  succeeded: 'succeeded',
  success: 'succeeded',
  done: 'succeeded',
  failed: 'failed',
  failure: 'failed',
  error: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'expired',
};

const refSchema = v.object({ id: v.string() });
const wrappedSchema = v.object({ data: v.looseObject({}) });
const unwrapped = v.pipe(
  v.unknown(),
  v.transform((body) => (v.is(wrappedSchema, body) ? body.data : body)),
);
const createdSchema = v.pipe(unwrapped, v.object({ id: v.pipe(v.string(), v.nonEmpty()) }));
const address = v.fallback(v.optional(v.string()), undefined);
const videoSchema = v.pipe(
  unwrapped,
  v.object({
    id: v.optional(v.string()),
    status: v.string(),
    progress: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))), undefined),
    error: v.fallback(v.nullish(v.object({ code: address, message: address })), undefined),
    video_url: address,
    url: address,
    metadata: v.fallback(v.nullish(v.object({ url: address })), undefined),
    unsigned_urls: v.fallback(v.optional(v.array(v.string())), undefined),
  }),
);
type Video = v.InferOutput<typeof videoSchema>;

const isModeration = (code = '') => /moderation|content_policy|safety/i.test(code);
const errors: ErrorMap = ({ code }) => (isModeration(code) ? 'moderated' : undefined);

/** Frames go along as bytes: such a server's own fetching of addresses is not guarded. */
async function creation(job: ProviderJob, context: ProviderContext): Promise<ProviderRequest> {
  const fields = {
    ...job.options,
    model: job.upstreamModel,
    prompt: job.prompt,
    seconds: String(job.durationSeconds),
    size: `${job.width}x${job.height}`,
    ...(job.seed === undefined ? {} : { seed: job.seed }),
  };
  const url = endpoint(context, BASE, 'videos');
  const request = { method: 'POST' as const, url, headers: authorization(context) };
  const source = [...job.frameImages, ...job.inputReferences][0]?.url;
  const image = source === undefined ? undefined : await context.inputs.read(source);
  if (context.settings.encoding !== 'multipart') {
    if (image === undefined) return { ...request, json: fields };
    const data = `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString('base64')}`;
    return { ...request, json: { ...fields, input_reference: { image_url: data } } };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (image !== undefined) {
    form.set('input_reference', new Blob([Buffer.from(image.bytes)], { type: image.mediaType }), 'input');
  }
  return { ...request, form };
}

function output(video: Video, job: URL, context: ProviderContext): ProviderOutput {
  const named = video.metadata?.url ?? video.video_url ?? video.url ?? video.unsigned_urls?.[0];
  const url = (named === undefined ? null : URL.parse(named, job.href))?.href ?? `${job.href}/content`;
  return { kind: 'url', url, ...(isOwn(url, job) ? { headers: authorization(context) } : {}) };
}

function ended(state: 'failed' | 'cancelled' | 'expired', { error }: Video, context: ProviderContext) {
  const reason = presentable(
    error?.message ?? error?.code ?? `The provider reports the job as ${state}`,
    context.apiKey,
  );
  return { state, reason, ...(isModeration(error?.code) ? { moderated: true } : {}) };
}
