import * as v from 'valibot';
import {
  defined,
  ended,
  expectSameJob,
  maybe,
  nonEmpty,
  percent,
  text,
  type VendorApi,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type {
  ProviderContext,
  ProviderJob,
  ProviderOutput,
  ProviderState,
  VideoProvider,
} from './provider.ts';

/** The default address of vLLM-Omni and SGLang; a stage names its own. */
const server = vendorApi({
  base: 'http://127.0.0.1:8000/v1',
  errors: ({ code = '' }) => {
    if (isModeration(code)) return 'moderated';
    // OpenAI's own codes, which other servers repeat. They come with a 400 or a 429.
    return /^(invalid_api_key|insufficient_quota|billing_\w+)$/.test(code) ? 'credential' : undefined;
  },
});

/**
 * Any server of the `/v1/videos` shape: vLLM-Omni (multipart), SGLang (JSON), other gateways. They differ in their
 * words for a state, in the wrapping of the answer, and in where they put the result's address.
 */
export const openaiVideos: VideoProvider = {
  name: 'openai-videos',
  manners: manners['openai-videos'],

  async submit(job, context) {
    const body = await creation(job, context);
    const { id } = await server(context).post('videos', body, createdSchema);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context): Promise<ProviderState> {
    const { id } = v.parse(refSchema, ref);
    const api = server(context);
    const video = await api.get(videoPath(id), videoSchema);
    expectSameJob(id, video.id ?? id);
    const state = STATES[video.status.toLowerCase()] ?? 'running';
    switch (state) {
      case 'succeeded':
        return { state, outputs: [output(video, id, api)] };
      case 'failed':
      case 'cancelled':
      case 'expired': {
        const said = video.error?.message ?? video.error?.code;
        return ended({ state, said, moderated: isModeration(video.error?.code) }, context);
      }
      default:
        return { state, ...defined({ progress: video.progress }) };
    }
  },

  async cancel(ref, context) {
    const api = server(context);
    const reply = await api.send('DELETE', videoPath(v.parse(refSchema, ref).id));
    if (reply.status < 300) return hadFinished(reply.body) ? 'not_possible' : 'cancelled';
    if (reply.status < 500 && reply.status !== 429) return 'not_possible';
    throw api.errorOf(reply);
  },

  /** Not the models: some servers list them to callers without a key. */
  checkKey: (context) => server(context).get('videos?limit=1', v.object({ data: v.array(v.unknown()) })),
};

const videoPath = (id: string) => `videos/${encodeURIComponent(id)}`;

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

/** Some servers answer with the video as it was. One that had finished may still be there, as the next poll tells. */
function hadFinished(body: unknown): boolean {
  const { success, output } = v.safeParse(videoSchema, body);
  return success && STATES[output.status.toLowerCase()] === 'succeeded';
}

const refSchema = v.object({ id: v.string() });
const wrappedSchema = v.object({ data: v.looseObject({}) });
const unwrapped = v.pipe(
  v.unknown(),
  v.transform((body) => (v.is(wrappedSchema, body) ? body.data : body)),
);
const createdSchema = v.pipe(unwrapped, v.object({ id: nonEmpty }));
const videoSchema = v.pipe(
  unwrapped,
  v.object({
    id: v.optional(v.string()),
    status: v.string(),
    progress: percent,
    error: maybe(v.object({ code: text, message: text })),
    video_url: text,
    url: text,
    metadata: maybe(v.object({ url: text })),
    unsigned_urls: maybe(v.array(v.string())),
  }),
);
type Video = v.InferOutput<typeof videoSchema>;

const isModeration = (code = '') => /moderation|content_policy|safety/i.test(code);

/** Frames are sent as bytes, because such a server fetches addresses without any guard. */
async function creation(
  job: ProviderJob,
  context: ProviderContext,
): Promise<{ json?: object; form?: FormData }> {
  const fields = {
    ...job.options,
    model: job.upstreamModel,
    prompt: job.prompt,
    seconds: String(job.durationSeconds),
    size: `${job.width}x${job.height}`,
    ...defined({ seed: job.seed }),
  };
  const source = [...job.frameImages, ...job.inputReferences][0]?.url;
  const image = source === undefined ? undefined : await context.inputs.read(source);
  if (context.settings.encoding !== 'multipart') {
    if (image === undefined) return { json: fields };
    const data = `data:${image.mediaType};base64,${Buffer.from(image.bytes).toString('base64')}`;
    return { json: { ...fields, input_reference: { image_url: data } } };
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  if (image !== undefined) {
    form.set('input_reference', new Blob([Buffer.from(image.bytes)], { type: image.mediaType }), 'input');
  }
  return { form };
}

function output(video: Video, id: string, api: VendorApi): ProviderOutput {
  const job = api.url(videoPath(id));
  const named = video.metadata?.url ?? video.video_url ?? video.url ?? video.unsigned_urls?.[0];
  const url = (named === undefined ? null : URL.parse(named, job.href))?.href ?? `${job.href}/content`;
  return api.result(url);
}
