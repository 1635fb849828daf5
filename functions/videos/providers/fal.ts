import * as v from 'valibot';
import { readUpstreamError } from '../../upstream/upstream-error.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, errorOf, exchange, type ProviderReply, send } from './http-exchange.ts';
import { endpoint, isOwn } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://queue.fal.run';

/** fal's queue: one protocol for all its models, whose inputs differ as their rows' dialects say. */
export const fal: VideoProvider = {
  name: 'fal',
  resubmit: 'none',
  dialect: v.lazy(() => dialectSchema),

  async submit(job, context) {
    const { path, input } = await submission(job, context);
    const url = endpoint(context, BASE, path);
    const request = { method: 'POST' as const, url, headers: authorization(context, 'Key'), json: input };
    const { request_id: id, ...named } = await exchange(request, queuedSchema, context, errors);
    // The documented form of the addresses: without what follows the app's name in a model's.
    const own = endpoint(context, BASE, `${path.split('/', 2).join('/')}/requests/${encodeURIComponent(id)}`);
    const trusted = (address: string | undefined, other: string) =>
      address !== undefined && isOwn(address, own) ? address : other;
    return {
      ref: {
        id,
        status: trusted(named.status_url, `${own}/status`),
        response: trusted(named.response_url, `${own}`),
        cancel: trusted(named.cancel_url, `${own}/cancel`),
      },
      upstreamId: id,
    };
  },

  async poll(ref, context): Promise<ProviderState> {
    const { id, status: url, response } = v.parse(refSchema, ref);
    const headers = authorization(context, 'Key');
    const { status, request_id } = await exchange({ url, headers }, statusSchema, context, errors);
    if (request_id !== undefined && request_id !== id) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    if (status === 'IN_QUEUE') return { state: 'queued' };
    if (status !== 'COMPLETED') return { state: 'running' };
    return result(await send({ url: response, headers }, context), context);
  },

  async cancel(ref, context) {
    const url = v.parse(refSchema, ref).cancel;
    const reply = await send({ method: 'PUT', url, headers: authorization(context, 'Key') }, context);
    if (reply.status < 300) return 'requested';
    if (reply.status === 400 || reply.status === 404) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const nonEmpty = v.pipe(v.string(), v.nonEmpty());
const address = v.fallback(v.optional(v.string()), undefined);
const queuedSchema = v.object({
  request_id: nonEmpty,
  status_url: address,
  response_url: address,
  cancel_url: address,
});
const refSchema = v.object({ id: v.string(), status: v.string(), response: v.string(), cancel: v.string() });
const statusSchema = v.object({ status: v.string(), request_id: address });
const fileSchema = v.object({ url: nonEmpty });
const outputSchema = v.union([
  v.pipe(
    v.object({ video: fileSchema }),
    v.transform(({ video }) => [video]),
  ),
  v.pipe(
    v.object({ videos: v.pipe(v.array(fileSchema), v.minLength(1)) }),
    v.transform(({ videos }) => videos),
  ),
]);

const errors: ErrorMap = ({ code, message = '' }, status) => {
  if (code === 'content_policy_violation') return 'moderated';
  return status === 403 && /exhausted balance/i.test(message) ? 'credential' : undefined;
};

/** A completed request may hold an error, answered under the error's own status. */
function result(reply: ProviderReply, context: ProviderContext): ProviderState {
  const parsed = v.safeParse(outputSchema, reply.body);
  if (reply.status === 200 && parsed.success) {
    return { state: 'succeeded', outputs: parsed.output.map(({ url }) => ({ kind: 'url', url })) };
  }
  if (reply.status === 200 && reply.body !== undefined) return { state: 'succeeded', outputs: [] };
  const error = errorOf(reply, context, errors);
  const isOfTheJob = reply.status >= 500 && readUpstreamError(reply.body).code !== undefined;
  if (!isOfTheJob && error.kind !== 'refused' && error.kind !== 'moderated') throw error;
  return {
    state: 'failed',
    reason: error.message,
    ...(error.kind === 'moderated' ? { moderated: true } : {}),
  };
}

/** How a model's input differs from the commonest; each name is a field of the model's own schema. */
const dialectSchema = v.strictObject({
  /** `"5"`, `"5s"` or `5`; `none` for models of one length. */
  duration: v.optional(v.picklist(['text', 'seconds', 'number', 'none']), 'text'),
  resolution: v.optional(v.boolean(), false),
  /** The model to call instead when frames are given. */
  first_frame_model: v.exactOptional(v.string()),
  both_frames_model: v.exactOptional(v.string()),
  reference_model: v.exactOptional(v.string()),
  first_frame: v.optional(v.string(), 'image_url'),
  /** The first frame's name in `both_frames_model`, where that differs. */
  first_of_both: v.exactOptional(v.string()),
  last_frame: v.optional(v.string(), 'end_image_url'),
  references: v.optional(v.string(), 'image_urls'),
  /** Whether the model takes `generate_audio`. */
  audio: v.optional(v.boolean(), false),
});

type Dialect = v.InferOutput<typeof dialectSchema>;

async function submission(job: ProviderJob, context: ProviderContext) {
  const dialect = v.parse(dialectSchema, job.dialect);
  const seconds = job.durationSeconds;
  const lengths = { text: `${seconds}`, seconds: `${seconds}s`, number: seconds };
  const { model, sources } = givenInputs(job, dialect);
  const input = {
    ...job.options,
    prompt: job.prompt,
    aspect_ratio: job.aspectRatio,
    ...(dialect.duration === 'none' ? {} : { duration: lengths[dialect.duration] }),
    ...(dialect.resolution ? { resolution: job.resolution.toLowerCase() } : {}),
    ...(dialect.audio ? { generate_audio: job.generateAudio } : {}),
    ...(job.seed === undefined ? {} : { seed: job.seed }),
  };
  const link = (url: string) => context.inputs.link(url);
  const linked = Object.entries(sources).map(async ([name, source]) => [
    name,
    typeof source === 'string' ? await link(source) : await Promise.all(source.map(link)),
  ]);
  return {
    path: model ?? job.upstreamModel,
    input: { ...input, ...Object.fromEntries(await Promise.all(linked)) },
  };
}

/** fal has a model of its own for each way of giving images. */
function givenInputs(job: ProviderJob, dialect: Dialect) {
  const frame = (type: string) => job.frameImages.find(({ frameType }) => frameType === type)?.url;
  const [first, last] = [frame('first_frame'), frame('last_frame')];
  const references = job.inputReferences.map(({ url }) => url);
  if (references.length > 0) {
    return { model: dialect.reference_model, sources: { [dialect.references]: references } };
  }
  if (first !== undefined && last !== undefined) {
    return {
      model: dialect.both_frames_model ?? dialect.first_frame_model,
      sources: { [dialect.first_of_both ?? dialect.first_frame]: first, [dialect.last_frame]: last },
    };
  }
  if (last !== undefined)
    throw new ProviderError('refused', 'A last frame needs a first frame at this provider');
  return first === undefined
    ? { model: undefined, sources: {} }
    : { model: dialect.first_frame_model, sources: { [dialect.first_frame]: first } };
}
