import * as v from 'valibot';
import { chargeForSeconds, type Tariff, tariffSchema } from '../catalogue/price.ts';
import {
  code,
  contentParts,
  ended,
  expectSameJob,
  madeSecondsCount,
  maybe,
  nonEmpty,
  secondsCount,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type {
  ProviderContext,
  ProviderErrorKind,
  ProviderJob,
  ProviderState,
  VideoProvider,
} from './provider.ts';

const minimaxApi = vendorApi({
  base: 'https://api.minimax.io',
  errors: ({ message = '', code = '' }) => {
    const number = /\((\d{4})\)$/.exec(message)?.[1] ?? code;
    return isModeration(number) ? 'moderated' : KINDS[number];
  },
});

/** MiniMax's second API (H3 and later). It numbers an error at the end of its message, or under a 200 in `base_resp`. */
export const minimax: VideoProvider = {
  name: 'minimax',
  manners: manners.minimax,

  async submit(job, context) {
    const json = await generationOf(job, context);
    const { task_id } = await minimaxApi(context).post('v2/video_generation', { json }, createdSchema);
    return { ref: { task_id, tariff: job.tariff }, upstreamId: task_id };
  },

  async poll(ref, context) {
    const { task_id: id, tariff } = v.parse(refSchema, ref);
    const { task } = await minimaxApi(context).get(`v2/query/${taskPath(id)}`, taskSchema);
    expectSameJob(id, task.id);
    return stateOf(task, tariff, context);
  },

  /** A refusal may come with a 200, so only the next poll tells. */
  async cancel(ref, context) {
    const call = ['DELETE', `v2/${taskPath(v.parse(createdSchema, ref).task_id)}`] as const;
    return minimaxApi(context).cancel(call, [400, 409], () => 'requested');
  },

  checkKey: (context) =>
    minimaxApi(context).get(
      'v2/query/video_generation?page_num=1&page_size=1',
      v.object({ items: v.unknown(), base_resp: v.optional(v.object({ status_code: v.literal(0) })) }),
    ),
};

const taskPath = (id: string) => `video_generation/${encodeURIComponent(id)}`;

const createdSchema = v.object({ task_id: nonEmpty });
/** Refs of older versions have no tariff. */
const refSchema = v.object({ ...createdSchema.entries, tariff: v.exactOptional(tariffSchema) });
const taskSchema = v.object({
  task: v.object({
    id: v.string(),
    status: v.pipe(v.string(), v.toLowerCase()),
    error: maybe(v.object({ code, message: text })),
    content: maybe(v.object({ url: text })),
    usage: maybe(v.object({ input_seconds: v.nullish(secondsCount, 0), output_seconds: madeSecondsCount })),
  }),
});

/** 1026: the input is sensitive; 1027: the output is. */
const isModeration = (said = '') => /^102[67]$|sensitive/i.test(said);
const KINDS: Readonly<Record<string, ProviderErrorKind>> = {
  1002: 'rate_limited',
  1004: 'credential',
  1008: 'credential',
  2013: 'refused',
  2049: 'credential',
};

function stateOf(
  { status, error, content, usage }: v.InferOutput<typeof taskSchema>['task'],
  tariff: Tariff | undefined,
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'queued':
      return { state: 'queued' };
    case 'succeeded':
      if (usage === undefined || tariff === undefined) return succeeded(content?.url);
      return {
        ...succeeded(content?.url),
        costMicros: chargeForSeconds(tariff, usage.input_seconds + usage.output_seconds),
      };
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const said = error?.message ?? error?.code;
      const moderated = isModeration(error?.code) || isModeration(error?.message);
      return ended({ state: status, said, moderated }, context);
    }
    default:
      return { state: 'running' };
  }
}

async function generationOf(job: ProviderJob, context: ProviderContext) {
  return {
    ...job.options,
    model: job.upstreamModel,
    content: await contentParts(job, context),
    resolution: job.resolution.toUpperCase(),
    duration: job.durationSeconds,
    ratio: job.aspectRatio,
  };
}
