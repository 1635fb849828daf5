import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { apiKey } from './credential.ts';
import { type ErrorMap, exchange } from './http-exchange.ts';
import { endpoint, isOwn } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderOutput,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://generativelanguage.googleapis.com/v1beta';

/** Veo on the Gemini API: long-running operations, inputs inline, no cancelling. */
export const geminiVeo: VideoProvider = {
  name: 'gemini-veo',
  resubmit: 'none',

  async submit(job, context) {
    const url = endpoint(context, BASE, `models/${job.upstreamModel}:predictLongRunning`);
    const json = await prediction(job, context);
    const request = { method: 'POST' as const, url, headers: key(context), json };
    const { name } = await exchange(request, startedSchema, context, errors);
    return { ref: { name }, upstreamId: name };
  },

  async poll(ref, context) {
    const { name } = v.parse(startedSchema, ref);
    const url = endpoint(context, BASE, name);
    const operation = await exchange({ url, headers: key(context) }, operationSchema, context, errors);
    if (operation.name !== name) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    return stateOf(operation, url, context);
  },
};

const key = (context: ProviderContext) => ({ 'x-goog-api-key': apiKey(context) });

/** A relative path, because it is put behind our base with the key. */
const startedSchema = v.object({
  name: v.pipe(v.string(), v.regex(/^models\/[\w.-]+\/operations\/[\w.-]+$/)),
});

const text = v.fallback(v.optional(v.string()), undefined);
const resultSchema = v.object({
  generatedSamples: v.fallback(
    v.optional(v.array(v.object({ video: v.object({ uri: v.pipe(v.string(), v.nonEmpty()) }) }))),
    undefined,
  ),
  raiMediaFilteredCount: v.fallback(v.optional(v.number()), undefined),
  raiMediaFilteredReasons: v.fallback(v.optional(v.array(v.string())), undefined),
});
const operationSchema = v.object({
  name: v.string(),
  done: v.fallback(v.optional(v.boolean()), undefined),
  error: v.fallback(v.optional(v.object({ message: text, status: text })), undefined),
  /** Some answers leave out the level in between. */
  response: v.fallback(
    v.optional(
      v.union([
        v.pipe(
          v.object({ generateVideoResponse: resultSchema }),
          v.transform(({ generateVideoResponse }) => generateVideoResponse),
        ),
        resultSchema,
      ]),
    ),
    undefined,
  ),
});

const isModeration = (message = '') => /safety|usage guidelines|responsible ai|prohibited/i.test(message);
const errors: ErrorMap = ({ code, message }, status) => {
  if (isModeration(message) && status === 400) return 'moderated';
  // The Gemini API answers a wrong key with a 400.
  if (/API key/i.test(message ?? '')) return 'credential';
  return code === 'RESOURCE_EXHAUSTED' ? 'rate_limited' : undefined;
};

function stateOf(
  operation: v.InferOutput<typeof operationSchema>,
  own: URL,
  context: ProviderContext,
): ProviderState {
  const { done, error, response } = operation;
  // Google asks for ten seconds between two polls.
  if (done !== true) return { state: 'running', retryAfterSeconds: 10 };
  if (error !== undefined) {
    const reason = presentable(error.message ?? 'The provider reports the job as failed', context.apiKey);
    return { state: 'failed', reason, ...(isModeration(error.message) ? { moderated: true } : {}) };
  }
  const samples = response?.generatedSamples ?? [];
  if (samples.length === 0 && (response?.raiMediaFilteredCount ?? 0) > 0) {
    const [why = 'The provider withheld the video'] = response?.raiMediaFilteredReasons ?? [];
    return { state: 'failed', reason: presentable(why, context.apiKey), moderated: true };
  }
  return { state: 'succeeded', outputs: samples.map(({ video }) => output(video.uri, own, context)) };
}

function output(url: string, own: URL, context: ProviderContext): ProviderOutput {
  return { kind: 'url', url, ...(isOwn(url, own) ? { headers: key(context) } : {}) };
}

async function prediction(job: ProviderJob, context: ProviderContext) {
  const image = async (url: string) => {
    const { mediaType, bytes } = await context.inputs.read(url);
    return { bytesBase64Encoded: Buffer.from(bytes).toString('base64'), mimeType: mediaType };
  };
  const frame = (type: string) => job.frameImages.find(({ frameType }) => frameType === type)?.url;
  const [first, last] = [frame('first_frame'), frame('last_frame')];
  const references = job.inputReferences.map(async ({ url }) => ({
    image: await image(url),
    referenceType: 'asset',
  }));
  return {
    instances: [
      {
        prompt: job.prompt,
        ...(first === undefined ? {} : { image: await image(first) }),
        ...(last === undefined ? {} : { lastFrame: await image(last) }),
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
