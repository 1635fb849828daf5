import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, errorOf, exchange, send } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://dashscope-intl.aliyuncs.com/api/v1';
const SYNTHESIS = 'services/aigc/video-generation/video-synthesis';

/** Alibaba's Wan on Model Studio. A key is good for one region's address only. */
export const dashscope: VideoProvider = {
  name: 'dashscope',
  resubmit: 'none',
  dialect: v.lazy(() => dialectSchema),

  async submit(job, context) {
    const json = await synthesisOf(job, context);
    const headers = { ...authorization(context), 'x-dashscope-async': 'enable' };
    const request = { method: 'POST' as const, url: endpoint(context, BASE, SYNTHESIS), headers, json };
    const { output } = await exchange(request, createdSchema, context, errors);
    return { ref: { task_id: output.task_id }, upstreamId: output.task_id };
  },

  async poll(ref, context) {
    const { task_id } = v.parse(refSchema, ref);
    const url = endpoint(context, BASE, `tasks/${encodeURIComponent(task_id)}`);
    const { output } = await exchange({ url, headers: authorization(context) }, taskSchema, context, errors);
    if (output.task_id !== task_id) {
      throw new ProviderError('unavailable', 'The provider answered about another job');
    }
    return stateOf(output, context);
  },

  /** Possible while the task waits. */
  async cancel(ref, context) {
    const { task_id } = v.parse(refSchema, ref);
    const url = endpoint(context, BASE, `tasks/${encodeURIComponent(task_id)}/cancel`);
    const reply = await send({ method: 'POST', url, headers: authorization(context) }, context);
    if (reply.status < 300) return 'cancelled';
    if (reply.status === 400 || reply.status === 404) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const refSchema = v.object({ task_id: v.pipe(v.string(), v.nonEmpty()) });
const createdSchema = v.object({ output: refSchema });
const text = v.fallback(v.optional(v.string()), undefined);
const taskSchema = v.object({
  output: v.object({
    task_id: v.string(),
    task_status: v.string(),
    video_url: text,
    code: text,
    message: text,
  }),
});

const isModeration = (code = '') =>
  /^DataInspectionFailed|^IPInfringementSuspect|InappropriateContent/.test(code);
const errors: ErrorMap = ({ code = '' }) => {
  if (isModeration(code)) return 'moderated';
  if (/^(Arrearage|InvalidApiKey|AccessDenied|Throttling\.AllocationQuota)/.test(code)) return 'credential';
  return code.startsWith('Throttling') ? 'rate_limited' : undefined;
};

function stateOf(task: v.InferOutput<typeof taskSchema>['output'], context: ProviderContext): ProviderState {
  switch (task.task_status) {
    case 'PENDING':
      return { state: 'queued' };
    case 'SUCCEEDED': {
      const url = task.video_url;
      return { state: 'succeeded', outputs: url === undefined || url === '' ? [] : [{ kind: 'url', url }] };
    }
    case 'FAILED': {
      const said = task.message ?? task.code ?? 'The provider reports the job as failed';
      const moderated = isModeration(task.code) ? { moderated: true } : {};
      return { state: 'failed', reason: presentable(said, context.apiKey), ...moderated };
    }
    case 'CANCELED':
      return { state: 'cancelled', reason: 'The provider reports the job as canceled' };
    // What it answers about a task that it no longer keeps; the result went with it.
    case 'UNKNOWN':
      return { state: 'expired', reason: 'The provider no longer knows the job' };
    default:
      return { state: 'running' };
  }
}

const dialectSchema = v.strictObject({
  /** The model to call instead when frames are given. */
  frame_model: v.exactOptional(v.string()),
  /** The model to call instead when references are given. */
  reference_model: v.exactOptional(v.string()),
});

async function synthesisOf(job: ProviderJob, context: ProviderContext) {
  const { frame_model, reference_model } = v.parse(dialectSchema, job.dialect);
  const frames = job.frameImages.map(({ frameType, url }) => ({ type: frameType as string, url }));
  const references = job.inputReferences.map(({ kind, url }) => ({ type: `reference_${kind}`, url }));
  const media = [...frames, ...references].map(async ({ type, url }) => ({
    type,
    url: await context.inputs.link(url),
  }));
  const other = frames.length > 0 ? frame_model : references.length > 0 ? reference_model : undefined;
  const { negative_prompt, ...options } = job.options;
  return {
    model: other ?? job.upstreamModel,
    input: {
      prompt: job.prompt,
      ...(negative_prompt === undefined ? {} : { negative_prompt }),
      ...(media.length === 0 ? {} : { media: await Promise.all(media) }),
    },
    parameters: {
      ...options,
      resolution: job.resolution.toUpperCase(),
      ratio: job.aspectRatio,
      duration: job.durationSeconds,
      ...(job.seed === undefined ? {} : { seed: job.seed }),
    },
  };
}
