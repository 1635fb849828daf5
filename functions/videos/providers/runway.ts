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

const BASE = 'https://api.dev.runwayml.com/v1';
/** Runway answers by the version that a request names, and refuses requests that name none. */
const VERSION = '2024-11-06';

/** A credit is a cent. */
const MICROS_PER_CREDIT = 10_000;
/** No video costs as much; a claim above it is an error, and the row's price holds. */
const MOST_CREDITS = 1_000_000;

/** Runway's tasks: its own models and others', with the exact cost in the answer. */
export const runway: VideoProvider = {
  name: 'runway',
  resubmit: 'none',

  async submit(job, context) {
    const { path, json } = await taskOf(job, context);
    const url = endpoint(context, BASE, path);
    const request = { method: 'POST' as const, url, headers: headers(context), json };
    const { id } = await exchange(request, createdSchema, context, errors);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id } = v.parse(createdSchema, ref);
    const request = { url: taskUrl(id, context), headers: headers(context) };
    const task = await exchange(request, taskSchema, context, errors);
    if (task.id !== id) throw new ProviderError('unavailable', 'The provider answered about another job');
    return stateOf(task, context);
  },

  async cancel(ref, context) {
    const url = taskUrl(v.parse(createdSchema, ref).id, context);
    const reply = await send({ method: 'DELETE', url, headers: headers(context) }, context);
    if (reply.status < 300) return 'cancelled';
    if (reply.status === 404) return 'not_possible';
    throw errorOf(reply, context, errors);
  },
};

const headers = (context: ProviderContext) => ({ ...authorization(context), 'x-runway-version': VERSION });
const taskUrl = (id: string, context: ProviderContext) =>
  endpoint(context, BASE, `tasks/${encodeURIComponent(id)}`);

const createdSchema = v.object({ id: v.pipe(v.string(), v.nonEmpty()) });
const text = v.fallback(v.optional(v.string()), undefined);
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  progress: v.fallback(v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))), undefined),
  output: v.fallback(v.array(v.pipe(v.string(), v.nonEmpty())), []),
  failure: text,
  failureCode: text,
  cost: v.fallback(
    v.optional(v.object({ credits: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_CREDITS)) })),
    undefined,
  ),
});

const isModeration = (code = '') => code.startsWith('SAFETY.');
const errors: ErrorMap = ({ code, message = '' }) => {
  if (isModeration(code)) return 'moderated';
  return /not have enough credits/i.test(message) ? 'credential' : undefined;
};

function stateOf(task: v.InferOutput<typeof taskSchema>, context: ProviderContext): ProviderState {
  switch (task.status) {
    case 'PENDING':
    case 'THROTTLED':
      return { state: 'queued', retryAfterSeconds: ASKED_PACE };
    case 'SUCCEEDED': {
      const costMicros =
        task.cost === undefined ? undefined : Math.round(task.cost.credits * MICROS_PER_CREDIT);
      return {
        state: 'succeeded',
        outputs: task.output.map((url) => ({ kind: 'url', url })),
        ...(costMicros === undefined ? {} : { costMicros }),
      };
    }
    case 'FAILED': {
      const said = task.failure ?? task.failureCode ?? 'The provider reports the job as failed';
      const moderated = isModeration(task.failureCode) ? { moderated: true } : {};
      return { state: 'failed', reason: presentable(said, context.apiKey), ...moderated };
    }
    case 'CANCELLED':
      return { state: 'cancelled', reason: 'The provider reports the job as cancelled' };
    default: {
      const progress = task.progress === undefined ? {} : { progress: Math.round(task.progress * 100) };
      return { state: 'running', retryAfterSeconds: ASKED_PACE, ...progress };
    }
  }
}

/** Runway asks for five seconds at least between two polls of a task. */
const ASKED_PACE = 10;

async function taskOf(job: ProviderJob, context: ProviderContext) {
  const images = job.frameImages.map(async ({ frameType, url }) => ({
    uri: await context.inputs.link(url),
    position: frameType === 'first_frame' ? 'first' : 'last',
  }));
  const promptImage = await Promise.all(images);
  return {
    path: promptImage.length === 0 ? 'text_to_video' : 'image_to_video',
    json: {
      ...job.options,
      model: job.upstreamModel,
      promptText: job.prompt,
      ratio: `${job.width}:${job.height}`,
      duration: job.durationSeconds,
      ...(job.seed === undefined ? {} : { seed: job.seed }),
      ...(promptImage.length === 0 ? {} : { promptImage }),
    },
  };
}
