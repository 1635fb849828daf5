import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { BEDROCK_PREFIX } from '../bucket-layout.ts';
import { type ErrorMap, exchange } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import {
  type OwnAccount,
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type VideoProvider,
} from './provider.ts';

/** Asynchronous models on Amazon Bedrock: called as our role, they write into our bucket. No cancelling. */
export const bedrock: VideoProvider = {
  name: 'bedrock',
  resubmit: 'token',

  async submit(job, context) {
    const { account, base, signed } = inAccount(context);
    const prefix = `${BEDROCK_PREFIX}${job.id}`;
    const json = {
      clientRequestToken: job.id,
      modelId: job.upstreamModel,
      modelInput: await modelInput(job, context),
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://${account.bucket}/${prefix}` } },
    };
    const request = { method: 'POST' as const, url: endpoint(context, base, 'async-invoke'), json };
    const { invocationArn } = await exchange(request, startedSchema, signed, errors);
    return { ref: { invocationArn, prefix }, upstreamId: invocationArn };
  },

  async poll(ref, context) {
    const { account, base, signed } = inAccount(context);
    const { invocationArn, prefix } = v.parse(refSchema, ref);
    const url = endpoint(context, base, `async-invoke/${encodeURIComponent(invocationArn)}`);
    const invocation = await exchange({ url }, invocationSchema, signed, errors);
    if (invocation.invocationArn !== invocationArn) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    switch (invocation.status) {
      case 'Completed': {
        const key = `${prefix}/${invocationArn.split('/').at(-1)}/output.mp4`;
        return { state: 'succeeded', outputs: [{ kind: 'url', url: await account.link(key) }] };
      }
      case 'Failed':
        return failure(invocation.failureMessage);
      default:
        return { state: 'running' };
    }
  },
};

function inAccount(context: ProviderContext): { account: OwnAccount; base: string; signed: ProviderContext } {
  const { account } = context;
  if (account === undefined) throw new Error('Bedrock is called as the stage’s role, and none is given');
  const signed = { ...context, fetch: account.signed(context.fetch, 'bedrock') };
  return { account, base: account.address('bedrock-runtime'), signed };
}

const startedSchema = v.object({
  invocationArn: v.pipe(v.string(), v.regex(/^arn:aws[\w-]*:bedrock:[\w-]+:\d{12}:async-invoke\/[a-z0-9]+$/)),
});
const refSchema = v.object({ ...startedSchema.entries, prefix: v.string() });
const invocationSchema = v.object({
  invocationArn: v.string(),
  status: v.string(),
  failureMessage: v.fallback(v.optional(v.string()), undefined),
});

const isModeration = (message = '') =>
  /content (filter|policy|moderation)|moderat|responsible ai/i.test(message);
const errors: ErrorMap = ({ message }, _, headers) => {
  const type = headers.get('x-amzn-errortype') ?? '';
  // A quota of running jobs, which AWS reports as a 400.
  if (type.startsWith('ServiceQuotaExceededException')) return 'rate_limited';
  return type.startsWith('ValidationException') && isModeration(message) ? 'moderated' : undefined;
};

function failure(message = 'The provider reports the job as failed') {
  const isModerated = isModeration(message);
  return {
    state: 'failed' as const,
    reason: presentable(message),
    ...(isModerated ? { moderated: true } : {}),
  };
}

/** Of Luma's Ray 2, the one video model that Bedrock runs. */
async function modelInput(job: ProviderJob, context: ProviderContext) {
  const frames = job.frameImages.map(async ({ frameType, url }) => {
    const { mediaType, bytes } = await context.inputs.read(url);
    const source = { type: 'base64', media_type: mediaType, data: Buffer.from(bytes).toString('base64') };
    return [frameType === 'first_frame' ? 'frame0' : 'frame1', { type: 'image', source }] as const;
  });
  const keyframes = Object.fromEntries(await Promise.all(frames));
  return {
    ...job.options,
    prompt: job.prompt,
    aspect_ratio: job.aspectRatio,
    duration: `${job.durationSeconds}s`,
    resolution: job.resolution.toLowerCase(),
    ...(frames.length === 0 ? {} : { keyframes }),
  };
}
