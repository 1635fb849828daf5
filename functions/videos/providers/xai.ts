import * as v from 'valibot';
import { micros } from '../../money/micros.ts';
import { dialectSchemas } from './dialects.ts';
import { defined, ended, framesOf, maybe, nonEmpty, percent, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import {
  type InputReference,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const xaiApi = vendorApi({
  base: 'https://api.x.ai/v1',
  errors: ({ message: said = '', code }) => {
    if (isModeration(said) || isModeration(code)) return 'moderated';
    // xAI answers a wrong key with a 400.
    return /incorrect api key/i.test(said) ? 'credential' : undefined;
  },
});

/** Grok Imagine on xAI's API. Nothing can be cancelled, and an answer does not repeat the request's id. */
export const xai: VideoProvider = {
  name: 'xai',
  manners: manners.xai,

  async submit(job, context) {
    const { path, json } = await requestOf(job, context);
    const { request_id } = await xaiApi(context).post(path, { json }, createdSchema);
    return { ref: { request_id }, upstreamId: request_id };
  },

  async poll(ref, context) {
    const { request_id } = v.parse(createdSchema, ref);
    const path = `videos/${encodeURIComponent(request_id)}`;
    const api = xaiApi(context);
    const reply = await api.send('GET', path);
    // While it runs the answer may have no body.
    if (reply.status === 202 && reply.body === undefined) return { state: 'running' };
    return stateOf(api.successOf(reply, generationSchema), context);
  },

  async checkKey(context) {
    const { api_key_blocked, api_key_disabled, team_blocked } = await xaiApi(context).get(
      'api-key',
      keySchema,
    );
    if (!api_key_blocked && !api_key_disabled && !team_blocked) return;
    throw new ProviderError('credential', 'The key or its team is blocked or disabled at the provider');
  },
};

const createdSchema = v.object({ request_id: nonEmpty });
const message = v.pipe(
  v.object({ message: text }),
  v.transform((error) => error.message),
);
/** A tick is 1e-10 dollars. */
const TICKS_PER_MICRO = 10_000;
/** No video costs as much. A larger number is an error, and the row's price counts. */
const MOST_TICKS = 1e14;
/** While the work waits there is no status; then only `progress` tells the answer from any other object. */
const generationSchema = v.pipe(
  v.object({
    status: v.optional(v.string(), ''),
    video: maybe(v.object({ url: text, respect_moderation: maybe(v.boolean()) })),
    error: maybe(v.union([v.string(), message])),
    progress: percent,
    usage: maybe(v.object({ cost_in_usd_ticks: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_TICKS)) })),
  }),
  v.check(
    (answer) => answer.status !== '' || answer.progress !== undefined,
    'must have `status` or `progress`',
  ),
);
type Generation = v.InferOutput<typeof generationSchema>;

const flag = v.optional(v.boolean(), false);
const keySchema = v.object({
  api_key_id: v.string(),
  api_key_blocked: flag,
  api_key_disabled: flag,
  team_blocked: flag,
});

const isModeration = (said = '') => /moderation|content policy|safety/i.test(said);

const costOf = (usage: Generation['usage']) =>
  usage === undefined ? {} : { costMicros: micros(Math.round(usage.cost_in_usd_ticks / TICKS_PER_MICRO)) };

function stateOf(generation: Generation, context: ProviderContext): ProviderState {
  const { status, video, error, progress, usage } = generation;
  switch (status) {
    case 'done': {
      if (video?.respect_moderation !== false) return { ...succeeded(video?.url), ...costOf(usage) };
      const said = 'The provider withheld the video';
      return ended({ state: 'failed', said, moderated: true }, context);
    }
    case 'failed':
    case 'expired':
      return ended({ state: status, said: error, moderated: isModeration(error) }, context);
    default:
      return { state: 'running', ...defined({ progress }) };
  }
}

/** What goes on with a video has its shape and resolution; an edited one its length too. */
async function requestOf(job: ProviderJob, context: ProviderContext) {
  const { source } = job;
  if (source === undefined) return { path: 'videos/generations', json: await generationOf(job, context) };
  const video = { url: await context.inputs.link(source.url) };
  const asked = { ...job.options, model: job.upstreamModel, prompt: job.prompt, video };
  return source.continuation === 'edit'
    ? { path: 'videos/edits', json: asked }
    : { path: 'videos/extensions', json: { ...asked, duration: job.durationSeconds } };
}

async function generationOf(job: ProviderJob, context: ProviderContext) {
  const dialect = v.parse(dialectSchemas.xai, job.dialect);
  const linked = async (url: string) => ({ url: await context.inputs.link(url) });
  const of = (kind: InputReference['kind']) =>
    Promise.all(job.inputReferences.filter((each) => each.kind === kind).map(({ url }) => linked(url)));
  const { first, last } = framesOf(job);
  const [images, sounds] = [await of('image'), await of('audio')];
  return {
    ...job.options,
    model: job.upstreamModel,
    prompt: job.prompt,
    duration: job.durationSeconds,
    aspect_ratio: job.aspectRatio,
    resolution: job.resolution.toLowerCase(),
    ...(dialect.audio ? { generate_audio: job.generateAudio } : {}),
    image: first && (await linked(first)),
    last_frame: last && (await linked(last)),
    ...(images.length === 0 ? {} : { reference_images: images }),
    ...(sounds.length === 0 ? {} : { reference_audios: sounds }),
  };
}
