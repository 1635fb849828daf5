import * as v from 'valibot';
import { defined, ended, maybe, nonEmpty, percent, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const xaiApi = vendorApi({
  base: 'https://api.x.ai/v1',
  errors: ({ message: said, code }) => (isModeration(said) || isModeration(code) ? 'moderated' : undefined),
});

/** Grok Imagine on xAI's API. Nothing can be cancelled, and an answer does not repeat the request's id. */
export const xai: VideoProvider = {
  name: 'xai',
  manners: manners.xai,

  async submit(job, context) {
    const json = await generationOf(job, context);
    const { request_id } = await xaiApi(context).post('videos/generations', { json }, createdSchema);
    return { ref: { request_id }, upstreamId: request_id };
  },

  async poll(ref, context) {
    const { request_id } = v.parse(createdSchema, ref);
    const path = `videos/${encodeURIComponent(request_id)}`;
    return stateOf(await xaiApi(context).get(path, generationSchema), context);
  },
};

const createdSchema = v.object({ request_id: nonEmpty });
const message = v.pipe(
  v.object({ message: text }),
  v.transform((error) => error.message),
);
/** While the work waits there is no status; then only `progress` tells the answer from any other object. */
const generationSchema = v.pipe(
  v.object({
    status: v.optional(v.string(), ''),
    video: maybe(v.object({ url: text, respect_moderation: maybe(v.boolean()) })),
    error: maybe(v.union([v.string(), message])),
    progress: percent,
  }),
  v.check((answer) => answer.status !== '' || answer.progress !== undefined, 'is not about a generation'),
);
type Generation = v.InferOutput<typeof generationSchema>;

const isModeration = (said = '') => /moderation|content policy|safety/i.test(said);

function stateOf({ status, video, error, progress }: Generation, context: ProviderContext): ProviderState {
  switch (status) {
    case 'done': {
      if (video?.respect_moderation !== false) return succeeded(video?.url);
      const said = 'The provider withheld the video after moderation';
      return ended({ state: 'failed', said, moderated: true }, context);
    }
    case 'failed':
    case 'expired':
      return ended({ state: status, said: error, moderated: isModeration(error) }, context);
    default:
      return { state: 'running', ...defined({ progress }) };
  }
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
    image: image === undefined ? undefined : { url: image },
    ...(references.length === 0 ? {} : { reference_images: references.map((url) => ({ url })) }),
  };
}
