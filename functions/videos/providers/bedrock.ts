import * as v from 'valibot';
import { bedrockPrefix } from '../bucket-layout.ts';
import { ended, expectSameJob, succeeded, text, type VendorApi, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { OwnAccount, ProviderContext, ProviderJob, VideoProvider } from './provider.ts';

/**
 * Asynchronous models on Amazon Bedrock. They are called as our role, write into our bucket, and cannot be cancelled.
 */
export const bedrock: VideoProvider = {
  name: 'bedrock',
  manners: manners.bedrock,

  async submit(job, context) {
    const { account, api } = inAccount(context);
    const prefix = bedrockPrefix(job);
    const json = {
      clientRequestToken: job.id,
      modelId: job.upstreamModel,
      modelInput: await modelInput(job, context),
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://${account.bucket}/${prefix}` } },
    };
    const { invocationArn } = await api.post('async-invoke', { json }, startedSchema);
    return { ref: { invocationArn, prefix }, upstreamId: invocationArn };
  },

  async poll(ref, context) {
    const { account, api } = inAccount(context);
    const { invocationArn, prefix } = v.parse(refSchema, ref);
    const path = `async-invoke/${encodeURIComponent(invocationArn)}`;
    const invocation = await api.get(path, invocationSchema);
    expectSameJob(invocationArn, invocation.invocationArn);
    switch (invocation.status) {
      case 'Completed':
        return succeeded(await account.link(`${prefix}/${invocationArn.split('/').at(-1)}/output.mp4`));
      case 'Failed': {
        const said = invocation.failureMessage;
        return ended({ state: 'failed', said, moderated: isModeration(said) }, context);
      }
      default:
        return { state: 'running' };
    }
  },
};

function inAccount(context: ProviderContext): { account: OwnAccount; api: VendorApi } {
  const { account } = context;
  if (account === undefined)
    throw new Error('Bedrock needs the credentials of the stage’s role, but there are none');
  const signed = { ...context, fetch: account.signed(context.fetch, 'bedrock') };
  const bedrockApi = vendorApi({
    base: account.address('bedrock-runtime'),
    credential: () => ({}),
    errors: ({ message }, _, headers) => {
      const type = headers.get('x-amzn-errortype') ?? '';
      // A quota of running jobs, which AWS reports with a 400.
      if (type.startsWith('ServiceQuotaExceededException')) return 'rate_limited';
      return type.startsWith('ValidationException') && isModeration(message) ? 'moderated' : undefined;
    },
  });
  return { account, api: bedrockApi(signed) };
}

const startedSchema = v.object({
  invocationArn: v.pipe(v.string(), v.regex(/^arn:aws[\w-]*:bedrock:[\w-]+:\d{12}:async-invoke\/[a-z0-9]+$/)),
});
const refSchema = v.object({ ...startedSchema.entries, prefix: v.string() });
const invocationSchema = v.object({
  invocationArn: v.string(),
  status: v.string(),
  failureMessage: text,
});

const isModeration = (message = '') =>
  /content (filter|policy|moderation)|moderat|responsible ai/i.test(message);

/** The input of Luma's Ray 2, the one video model that Bedrock runs. */
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
