import * as v from 'valibot';
import { chargeForTokens, type Tariff, tariffSchema } from '../catalogue/price.ts';
import {
  defined,
  ended,
  expectSameJob,
  framesOf,
  isOwn,
  maybe,
  nonEmpty,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderOutput,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const isModeration = (said = '') => /SAFETY|PROHIBITED_CONTENT|BLOCKLIST/i.test(said);

const geminiApi = vendorApi({
  base: 'https://generativelanguage.googleapis.com/v1',
  credential: (key) => ({ 'x-goog-api-key': key }),
  errors: ({ code, message }, status) => {
    if (status === 400 && (isModeration(message) || isModeration(code))) return 'moderated';
    // The Gemini API answers a wrong key, and an account that does not pay, with a 400.
    if (/API key|billed users/i.test(message ?? '')) return 'credential';
    return code === 'RESOURCE_EXHAUSTED' ? 'rate_limited' : undefined;
  },
});

/** Gemini Omni on the Interactions API, in the background: without that the submit waits for the video. */
export const gemini: VideoProvider = {
  name: 'gemini',
  manners: manners.gemini,

  async submit(job, context) {
    const json = await interactionOf(job, context);
    const { id } = await geminiApi(context).post('interactions', { json }, createdSchema);
    const { token, text: beside } = job.tariff;
    return { ref: { id, ...defined({ token, text: beside }) }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id, ...prices } = v.parse(refSchema, ref);
    const api = geminiApi(context);
    // With the images of the request the answer would be too long to read.
    const reply = await api.send('GET', `${pathOf(id)}?include_input=false`);
    // A 400 for a good id may pass, and it is also the answer for an unknown one: the deadline decides.
    if (reply.status === 400) {
      throw new ProviderError('unavailable', api.errorOf(reply).message);
    }
    const interaction = api.successOf(reply, interactionSchema);
    expectSameJob(id, interaction.id);
    return stateOf(interaction, prices, context);
  },

  async cancel(ref, context) {
    const call = ['POST', `${pathOf(v.parse(refSchema, ref).id)}/cancel`] as const;
    return geminiApi(context).cancel(call, [400, 409]);
  },

  checkKey: (context) =>
    geminiApi(context).get('models?pageSize=1', v.object({ models: v.array(v.unknown()) })),
};

const pathOf = (id: string) => `interactions/${encodeURIComponent(id)}`;

const createdSchema = v.object({ id: nonEmpty });
/** Refs of older versions have no price of text. */
const refSchema = v.object({
  ...createdSchema.entries,
  token: tariffSchema.entries.token,
  text: tariffSchema.entries.text,
});
type TokenPrices = Pick<Tariff, 'token' | 'text'>;

/** No video takes as many. A larger number is an error, and the row's price counts. */
const MOST_TOKENS = 1_000_000_000;
const tokenCount = v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_TOKENS));
const contentSchema = v.object({ type: text, uri: text });
const interactionSchema = v.object({
  id: v.string(),
  status: v.string(),
  steps: v.fallback(v.array(v.object({ type: text, content: v.fallback(v.array(contentSchema), []) })), []),
  errors: v.fallback(v.array(v.object({ code: text, message: text })), []),
  usage: maybe(
    v.object({
      output_tokens_by_modality: v.array(v.object({ modality: text, tokens: tokenCount })),
      total_input_tokens: maybe(tokenCount),
      total_thought_tokens: maybe(tokenCount),
    }),
  ),
});
type Interaction = v.InferOutput<typeof interactionSchema>;

function stateOf(interaction: Interaction, prices: TokenPrices, context: ProviderContext): ProviderState {
  const [error] = interaction.errors;
  const said = error?.message ?? error?.code;
  switch (interaction.status) {
    case 'queued':
      return { state: 'queued' };
    case 'completed':
      return completed(interaction, prices, context);
    case 'cancelled':
      return ended({ state: 'cancelled' }, context);
    case 'failed':
    case 'incomplete':
    case 'budget_exceeded': {
      const moderated = isModeration(error?.code) || isModeration(error?.message);
      return ended({ state: 'failed', said: said ?? interaction.status, moderated }, context);
    }
    default:
      return { state: 'running', retryAfterSeconds: 10 };
  }
}

/** What is completed without a video and without tokens for one was withheld. */
function completed(interaction: Interaction, prices: TokenPrices, context: ProviderContext): ProviderState {
  const urls = interaction.steps
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => content.filter(({ type }) => type === 'video').flatMap(({ uri }) => uri ?? []));
  const { usage } = interaction;
  const video = usage?.output_tokens_by_modality.find(({ modality }) => modality === 'video')?.tokens;
  if (urls.length === 0 && (video ?? 0) === 0) {
    return ended({ state: 'failed', said: 'The provider withheld the video', moderated: true }, context);
  }
  const [input, thoughts] = [usage?.total_input_tokens, usage?.total_thought_tokens];
  const costMicros = video === undefined ? undefined : chargeForTokens(prices, { video, input, thoughts });
  const outputs = urls.map((url) => output(url, context));
  return { ...succeeded(), outputs, ...defined({ costMicros }) };
}

/** On Google's own host, without `alt=media` it describes the file. */
function output(uri: string, context: ProviderContext): ProviderOutput {
  const api = geminiApi(context);
  const url = URL.parse(uri);
  if (url === null || !isOwn(uri, api.url(''))) return api.result(uri);
  if (!url.searchParams.has('alt')) url.searchParams.set('alt', 'media');
  return api.result(url.href);
}

async function interactionOf(job: ProviderJob, context: ProviderContext) {
  const { first, last } = framesOf(job);
  const frames = [first, last].flatMap((url) => url ?? []);
  const references = job.inputReferences.map(({ url }) => url);
  const images = [...frames, ...references].map(async (url) => {
    const { mediaType, bytes } = await context.inputs.read(url);
    return { type: 'image', data: Buffer.from(bytes).toString('base64'), mime_type: mediaType };
  });
  const task = taskOf(frames.length, references.length);
  return {
    ...job.options,
    model: job.upstreamModel,
    background: true,
    input: [...(await Promise.all(images)), { type: 'text', text: job.prompt }],
    response_format: {
      type: 'video',
      delivery: 'uri',
      ...defined({ aspect_ratio: job.aspectRatio }),
      resolution: job.resolution.toLowerCase(),
      // A number is refused.
      duration: `${job.durationSeconds}s`,
    },
    ...(task === undefined ? {} : { generation_config: { video_config: { task } } }),
  };
}

/** Two images without a task are the first and the last frame. */
function taskOf(frames: number, references: number): string | undefined {
  if (references > 0) return 'reference_to_video';
  return frames === 1 ? 'image_to_video' : undefined;
}
