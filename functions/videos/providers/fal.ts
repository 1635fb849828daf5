import * as v from 'valibot';
import { readUpstreamError } from '../../upstream/upstream-error.ts';
import { dialectSchemas } from './dialects.ts';
import {
  defined,
  ended,
  expectSameJob,
  framesOf,
  NO_WORK,
  nonEmpty,
  ownOr,
  type ProviderReply,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const falQueue = vendorApi({
  base: 'https://queue.fal.run',
  credential: (key) => ({ authorization: `Key ${key}` }),
  errors: ({ code, message = '' }, status) => {
    if (code === 'content_policy_violation') return 'moderated';
    return status === 403 && /exhausted balance/i.test(message) ? 'credential' : undefined;
  },
});

/** fal's queue: one protocol for all its models. Their inputs differ, as the dialects of their rows say. */
export const fal: VideoProvider = {
  name: 'fal',
  manners: manners.fal,

  async submit(job, context) {
    const queue = falQueue(context);
    const { path, input } = await submission(job, context);
    const address =
      job.callbackUrl === undefined
        ? `./${path}`
        : `./${path}?fal_webhook=${encodeURIComponent(job.callbackUrl)}`;
    const { request_id: id, ...named } = await queue.post(address, { json: input }, queuedSchema);
    // The documented form of the addresses has only the first two parts of a model's name.
    const own = `./${path.split('/', 2).join('/')}/requests/${encodeURIComponent(id)}`;
    return {
      ref: {
        id,
        status: ownOr(queue.url(`${own}/status`), named.status_url),
        response: ownOr(queue.url(own), named.response_url),
        cancel: ownOr(queue.url(`${own}/cancel`), named.cancel_url),
      },
      upstreamId: id,
    };
  },

  async poll(ref, context): Promise<ProviderState> {
    const queue = falQueue(context);
    const { id, status: statusUrl, response } = v.parse(refSchema, ref);
    const { status, request_id = id } = await queue.get(statusUrl, statusSchema);
    expectSameJob(id, request_id);
    if (status === 'IN_QUEUE') return { state: 'queued' };
    if (status !== 'COMPLETED') return { state: 'running' };
    return result(await queue.send('GET', response), context);
  },

  async cancel(ref, context) {
    const call = ['PUT', v.parse(refSchema, ref).cancel] as const;
    return falQueue(context).cancel(call, [400], () => 'requested');
  },

  /** fal's queue has nothing to list. Only a caller with a valid key learns that there is no such request. */
  async checkKey(context) {
    const queue = falQueue(context);
    const reply = await queue.send('GET', `fal-ai/flux/requests/${NO_WORK}/status`);
    // A 404 without JSON comes from a server that has no queue.
    if (reply.status !== 404 || reply.body === undefined) throw queue.errorOf(reply);
  },
};

const queuedSchema = v.object({
  request_id: nonEmpty,
  status_url: text,
  response_url: text,
  cancel_url: text,
});
const refSchema = v.object({ id: v.string(), status: v.string(), response: v.string(), cancel: v.string() });
const statusSchema = v.object({ status: v.string(), request_id: text });
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

/** A completed request may hold an error, with the error's own status. */
function result(reply: ProviderReply, context: ProviderContext): ProviderState {
  const { status, body } = reply;
  const parsed = v.safeParse(outputSchema, body);
  if (status === 200 && parsed.success) return succeeded(...parsed.output.map(({ url }) => url));
  if (status === 200 && body !== undefined) return succeeded();
  const error = falQueue(context).errorOf(reply);
  const isOfTheJob = status >= 500 && readUpstreamError(body).code !== undefined;
  if (!isOfTheJob && error.kind !== 'refused' && error.kind !== 'moderated') throw error;
  return ended({ state: 'failed', said: error.message, moderated: error.kind === 'moderated' }, context);
}

type Dialect = v.InferOutput<typeof dialectSchemas.fal>;

async function submission(job: ProviderJob, context: ProviderContext) {
  const dialect = v.parse(dialectSchemas.fal, job.dialect);
  const seconds = job.durationSeconds;
  const lengths = { text: `${seconds}`, seconds: `${seconds}s`, number: seconds };
  const { model, sources } = givenInputs(job, dialect);
  const input = {
    ...job.options,
    prompt: job.prompt,
    aspect_ratio: job.aspectRatio,
    ...(dialect.duration === 'none' ? {} : { duration: lengths[dialect.duration] }),
    ...(dialect.resolution === false ? {} : { resolution: spelt(job, dialect) }),
    ...(dialect.audio ? { [dialect.audio_field]: job.generateAudio } : {}),
    ...defined({ seed: job.seed }),
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

function spelt({ resolution, width, height }: ProviderJob, { resolution: spelling }: Dialect): string {
  if (spelling === 'lines') return `${Math.min(width, height)}p`;
  return spelling === 'upper' ? resolution.toUpperCase() : resolution.toLowerCase();
}

/** fal has a separate model for each way of giving images. */
function givenInputs(job: ProviderJob, dialect: Dialect) {
  const { first, last } = framesOf(job);
  if (job.inputReferences.length > 0) {
    const names = {
      image: dialect.references,
      audio: dialect.audio_references,
      video: dialect.video_references,
    };
    const byKind = Map.groupBy(job.inputReferences, ({ kind }) => names[kind]);
    const sources = [...byKind].map(([name, given]) => [name, given.map(({ url }) => url)] as const);
    return { model: dialect.reference_model, sources: Object.fromEntries(sources) };
  }
  if (first !== undefined && last !== undefined) {
    return {
      model: dialect.both_frames_model ?? dialect.first_frame_model,
      sources: { [dialect.first_of_both ?? dialect.first_frame]: first, [dialect.last_frame]: last },
    };
  }
  if (last !== undefined) {
    const reason = 'This provider accepts a last frame only together with a first frame';
    throw new ProviderError('refused', reason, { wasAsked: false });
  }
  return first === undefined
    ? { model: undefined, sources: {} }
    : { model: dialect.first_frame_model, sources: { [dialect.first_frame]: first } };
}
