import * as v from 'valibot';
import { ended, expectSameJob, framesOf, maybe, nonEmpty, text, type VendorApi, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const geminiApi = vendorApi({
  base: 'https://generativelanguage.googleapis.com/v1beta',
  credential: (key) => ({ 'x-goog-api-key': key }),
  errors: ({ code, message }, status) => {
    if (isModeration(message) && status === 400) return 'moderated';
    // The Gemini API answers a wrong key, and an account that does not pay, with a 400.
    if (/API key|billed users/i.test(message ?? '')) return 'credential';
    return code === 'RESOURCE_EXHAUSTED' ? 'rate_limited' : undefined;
  },
});

/** Veo on the Gemini API: long-running operations, inputs inline, no cancelling. */
export const geminiVeo: VideoProvider = {
  name: 'gemini-veo',
  manners: manners['gemini-veo'],

  async submit(job, context) {
    const path = `models/${job.upstreamModel}:predictLongRunning`;
    const json = await prediction(job, context);
    const { name } = await geminiApi(context).post(path, { json }, startedSchema);
    return { ref: { name }, upstreamId: name };
  },

  async poll(ref, context) {
    const { name } = v.parse(startedSchema, ref);
    const api = geminiApi(context);
    const operation = await api.get(name, operationSchema);
    expectSameJob(name, operation.name);
    return stateOf(operation, api, context);
  },

  checkKey: (context) =>
    geminiApi(context).get('models?pageSize=1', v.object({ models: v.array(v.unknown()) })),
};

/** It must be relative, because it is put behind our base together with the key. */
const startedSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^models\/[\w.-]+\/operations\/[\w.-]+$/)),
});

const resultSchema = v.object({
  generatedSamples: maybe(v.array(v.object({ video: v.object({ uri: nonEmpty }) }))),
  raiMediaFilteredCount: maybe(v.number()),
  raiMediaFilteredReasons: maybe(v.array(v.string())),
});
/** Some answers lack this level. */
const wrappedResultSchema = v.pipe(
  v.object({ generateVideoResponse: resultSchema }),
  v.transform(({ generateVideoResponse }) => generateVideoResponse),
);
const operationSchema = v.object({
  name: v.string(),
  done: maybe(v.boolean()),
  error: maybe(v.object({ message: text, status: text })),
  response: maybe(v.union([wrappedResultSchema, resultSchema])),
});

const isModeration = (message = '') => /safety|usage guidelines|responsible ai|prohibited/i.test(message);

function stateOf(
  operation: v.InferOutput<typeof operationSchema>,
  api: VendorApi,
  context: ProviderContext,
): ProviderState {
  const { done, error, response } = operation;
  // Google asks for ten seconds between two polls.
  if (done !== true) return { state: 'running', retryAfterSeconds: 10 };
  if (error !== undefined) {
    const said = error.message;
    return ended({ state: 'failed', said, moderated: isModeration(said) }, context);
  }
  const samples = response?.generatedSamples ?? [];
  if (samples.length === 0 && (response?.raiMediaFilteredCount ?? 0) > 0) {
    const [said = 'The provider withheld the video'] = response?.raiMediaFilteredReasons ?? [];
    return ended({ state: 'failed', said, moderated: true }, context);
  }
  return { state: 'succeeded', outputs: samples.map(({ video }) => api.result(video.uri)) };
}

async function prediction(job: ProviderJob, context: ProviderContext) {
  const image = async (url: string) => {
    const { mediaType, bytes } = await context.inputs.read(url);
    return { bytesBase64Encoded: Buffer.from(bytes).toString('base64'), mimeType: mediaType };
  };
  const { first, last } = framesOf(job);
  const references = job.inputReferences.map(async ({ url }) => ({
    image: await image(url),
    referenceType: 'asset',
  }));
  return {
    instances: [
      {
        prompt: job.prompt,
        image: first && (await image(first)),
        lastFrame: last && (await image(last)),
        ...(references.length === 0 ? {} : { referenceImages: await Promise.all(references) }),
      },
    ],
    parameters: {
      ...job.options,
      aspectRatio: job.aspectRatio,
      resolution: job.resolution.toLowerCase(),
      durationSeconds: job.durationSeconds,
    },
  };
}
