import * as v from 'valibot';
import { presentable } from '../../upstream/upstream-error.ts';
import { contentParts } from './content-parts.ts';
import { authorization } from './credential.ts';
import { type ErrorMap, exchange } from './http-exchange.ts';
import { endpoint } from './own-address.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type VideoProvider,
} from './provider.ts';

const BASE = 'https://api.minimax.io';

/** MiniMax's second API (H3 and later). Its errors come under a 200, in `base_resp`. */
export const minimax: VideoProvider = {
  name: 'minimax',
  resubmit: 'none',

  async submit(job, context) {
    const json = await generationOf(job, context);
    const url = endpoint(context, BASE, 'v2/video_generation');
    const request = { method: 'POST' as const, url, headers: authorization(context), json };
    const { task_id } = await exchange(request, createdSchema, context, errors);
    return { ref: { task_id }, upstreamId: task_id };
  },

  async poll(ref, context) {
    const { task_id: id } = v.parse(createdSchema, ref);
    const url = endpoint(context, BASE, `v2/query/video_generation/${encodeURIComponent(id)}`);
    const { task } = await exchange({ url, headers: authorization(context) }, taskSchema, context, errors);
    if (task.id !== id) throw new ProviderError('unavailable', 'The provider answered about another job');
    return stateOf(task, context);
  },
};

const createdSchema = v.object({ task_id: v.pipe(v.string(), v.nonEmpty()) });
const text = v.fallback(v.optional(v.string()), undefined);
const code = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  undefined,
);
const taskSchema = v.object({
  task: v.object({
    id: v.string(),
    status: v.pipe(v.string(), v.toLowerCase()),
    error: v.fallback(v.nullish(v.object({ code, message: text })), undefined),
    content: v.fallback(v.nullish(v.object({ url: text })), undefined),
  }),
});

/** 1026: the input is sensitive; 1027: the output is. */
const isModeration = (said = '') => /^102[67]$|sensitive/i.test(said);
const KINDS: Readonly<Record<string, ReturnType<ErrorMap>>> = {
  1002: 'rate_limited',
  1004: 'credential',
  1008: 'credential',
  2013: 'refused',
  2049: 'credential',
};
const errors: ErrorMap = ({ code: said = '' }) => (isModeration(said) ? 'moderated' : KINDS[said]);

function stateOf(
  { status, error, content }: v.InferOutput<typeof taskSchema>['task'],
  context: ProviderContext,
): ProviderState {
  switch (status) {
    case 'queued':
      return { state: 'queued' };
    case 'succeeded': {
      const url = content?.url;
      return { state: 'succeeded', outputs: url === undefined || url === '' ? [] : [{ kind: 'url', url }] };
    }
    case 'failed':
    case 'cancelled':
    case 'expired': {
      const said = error?.message ?? error?.code ?? `The provider reports the job as ${status}`;
      const moderated = isModeration(error?.code) || isModeration(error?.message ?? '');
      return {
        state: status,
        reason: presentable(said, context.apiKey),
        ...(moderated ? { moderated } : {}),
      };
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
