import * as v from 'valibot';
import { chargeForSeconds, tariffSchema } from '../catalogue/price.ts';
import { dialectSchemas } from './dialects.ts';
import {
  defined,
  ended,
  expectSameJob,
  madeSecondsCount,
  maybe,
  NO_WORK,
  nonEmpty,
  secondsCount,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const modelStudio = vendorApi({
  base: 'https://dashscope-intl.aliyuncs.com/api/v1',
  errors: ({ code = '' }) => {
    if (isModeration(code)) return 'moderated';
    if (/^(Arrearage|InvalidApiKey|AccessDenied|Throttling\.AllocationQuota)/.test(code)) return 'credential';
    return code.startsWith('Throttling') ? 'rate_limited' : undefined;
  },
});
const SYNTHESIS = 'services/aigc/video-generation/video-synthesis';

/** Alibaba's Wan on Model Studio. A key works at one region's address only. */
export const dashscope: VideoProvider = {
  name: 'dashscope',
  manners: manners.dashscope,

  async submit(job, context) {
    const json = await synthesisOf(job, context);
    const headers = { 'x-dashscope-async': 'enable' };
    const { output } = await modelStudio(context).post(SYNTHESIS, { json, headers }, createdSchema);
    return { ref: { task_id: output.task_id, tariff: job.tariff }, upstreamId: output.task_id };
  },

  async poll(ref, context) {
    const { task_id, tariff } = v.parse(refSchema, ref);
    const { output, usage } = await modelStudio(context).get(taskPath(task_id), taskSchema);
    expectSameJob(task_id, output.task_id);
    const state = stateOf(output, context);
    if (state.state !== 'succeeded' || usage === undefined || tariff === undefined) return state;
    const seconds = usage.input_video_duration + usage.output_video_duration;
    return { ...state, costMicros: chargeForSeconds(tariff, seconds) };
  },

  async cancel(ref, context) {
    const path = `${taskPath(v.parse(refSchema, ref).task_id)}/cancel`;
    return modelStudio(context).cancel(['POST', path], [400]);
  },

  checkKey: (context) => modelStudio(context).get(taskPath(NO_WORK), taskSchema),
};

const taskPath = (id: string) => `tasks/${encodeURIComponent(id)}`;

const createdSchema = v.object({ output: v.object({ task_id: nonEmpty }) });
/** Refs of older versions have no tariff. */
const refSchema = v.object({ task_id: nonEmpty, tariff: v.exactOptional(tariffSchema) });
const taskSchema = v.object({
  output: v.object({
    task_id: v.string(),
    task_status: v.string(),
    video_url: text,
    code: text,
    message: text,
  }),
  usage: maybe(
    v.object({ input_video_duration: v.nullish(secondsCount, 0), output_video_duration: madeSecondsCount }),
  ),
});

const isModeration = (code = '') =>
  /^DataInspectionFailed|^IPInfringementSuspect|InappropriateContent/.test(code);

function stateOf(task: v.InferOutput<typeof taskSchema>['output'], context: ProviderContext): ProviderState {
  switch (task.task_status) {
    case 'PENDING':
      return { state: 'queued' };
    case 'SUCCEEDED':
      return succeeded(task.video_url);
    case 'FAILED': {
      const said = task.message ?? task.code;
      return ended({ state: 'failed', said, moderated: isModeration(task.code) }, context);
    }
    case 'CANCELED':
      return ended({ state: 'cancelled', said: 'The provider reports the job as cancelled' }, context);
    // The answer about a task that it no longer keeps; the result is gone too.
    case 'UNKNOWN':
      return ended({ state: 'expired', said: 'The provider no longer has the job' }, context);
    default:
      return { state: 'running' };
  }
}

async function synthesisOf(job: ProviderJob, context: ProviderContext) {
  const { frame_model, reference_model, audio } = v.parse(dialectSchemas.dashscope, job.dialect);
  const frames = job.frameImages.map(({ frameType, url }) => ({ type: frameType, url }));
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
      ...defined({ negative_prompt }),
      ...(media.length === 0 ? {} : { media: await Promise.all(media) }),
    },
    parameters: {
      ...options,
      resolution: job.resolution.toUpperCase(),
      ratio: job.aspectRatio,
      duration: job.durationSeconds,
      ...(audio ? { audio: job.generateAudio } : {}),
      ...defined({ seed: job.seed }),
    },
  };
}
