import * as v from 'valibot';
import { defined, ended, expectSameJob, framesOf, nonEmpty, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type {
  ProviderContext,
  ProviderErrorKind,
  ProviderJob,
  ProviderState,
  VideoProvider,
} from './provider.ts';

const KINDS: Readonly<Record<string, ProviderErrorKind>> = {
  content_moderated: 'moderated',
  budget_exhausted: 'credential',
  rate_limited: 'rate_limited',
};

const lumaApi = vendorApi({
  base: 'https://agents.lumalabs.ai/v1',
  errors: ({ code = '' }) => KINDS[code],
});

/** Luma's Agents API, with Ray 3.2. Nothing can be cancelled, and the address of a result works for an hour. */
export const luma: VideoProvider = {
  name: 'luma',
  manners: manners.luma,

  async submit(job, context) {
    const json = await generationOf(job, context);
    const { id } = await lumaApi(context).post('generations', { json }, createdSchema);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id } = v.parse(createdSchema, ref);
    const generation = await lumaApi(context).get(`generations/${encodeURIComponent(id)}`, generationSchema);
    expectSameJob(id, generation.id);
    return stateOf(generation, context);
  },

  checkKey: (context) => lumaApi(context).get('files?limit=1', v.object({ data: v.array(v.unknown()) })),
};

const createdSchema = v.object({ id: nonEmpty });
const generationSchema = v.object({
  id: v.string(),
  state: v.string(),
  output: v.fallback(v.array(v.object({ type: text, url: text })), []),
  failure_code: text,
  failure_reason: text,
});

function stateOf(
  { state, output, failure_code, failure_reason }: v.InferOutput<typeof generationSchema>,
  context: ProviderContext,
): ProviderState {
  switch (state) {
    case 'queued':
      return { state: 'queued' };
    case 'completed':
      return succeeded(...output.filter(({ type }) => type === 'video').map(({ url }) => url));
    case 'failed': {
      const moderated = failure_code === 'content_moderated';
      return ended({ state: 'failed', said: failure_reason ?? failure_code, moderated }, context);
    }
    default:
      return { state: 'running' };
  }
}

async function generationOf(job: ProviderJob, context: ProviderContext) {
  const { first, last } = framesOf(job);
  const linked = async (url: string) => ({ url: await context.inputs.link(url) });
  return {
    ...job.options,
    type: 'video',
    model: job.upstreamModel,
    prompt: job.prompt,
    ...defined({ aspect_ratio: job.aspectRatio }),
    video: {
      duration: `${job.durationSeconds}s`,
      resolution: job.resolution.toLowerCase(),
      start_frame: first && (await linked(first)),
      end_frame: last && (await linked(last)),
    },
  };
}
