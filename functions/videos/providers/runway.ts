import * as v from 'valibot';
import { micros } from '../../money/micros.ts';
import { dialectSchemas } from './dialects.ts';
import {
  authorization,
  defined,
  ended,
  expectSameJob,
  maybe,
  nonEmpty,
  succeeded,
  text,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

/** Runway answers by the version that a request names, and refuses requests without one. */
const VERSION = '2024-11-06';

const runwayApi = vendorApi({
  base: 'https://api.dev.runwayml.com/v1',
  headers: (context) => ({ ...authorization(context), 'x-runway-version': VERSION }),
  errors: ({ code, message = '' }) => {
    if (isModeration(code)) return 'moderated';
    return /not have enough credits/i.test(message) ? 'credential' : undefined;
  },
});

/** A credit is a cent. */
const MICROS_PER_CREDIT = 10_000;
/** No video costs as much. A larger number is an error, and the row's price counts. */
const MOST_CREDITS = 1_000_000;

/** Runway's tasks, for its own models and others'. The answer has the exact cost. */
export const runway: VideoProvider = {
  name: 'runway',
  manners: manners.runway,

  async submit(job, context) {
    const { path, json } = await taskOf(job, context);
    const { id } = await runwayApi(context).post(path, { json }, createdSchema);
    return { ref: { id }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id } = v.parse(createdSchema, ref);
    const task = await runwayApi(context).get(taskPath(id), taskSchema);
    expectSameJob(id, task.id);
    return stateOf(task, context);
  },

  /** What Runway charges for a cancelled task is said by the task alone, where that can still be read. */
  async cancel(ref, context) {
    const call = ['DELETE', taskPath(v.parse(createdSchema, ref).id)] as const;
    return runwayApi(context).cancel(call, [], () => 'requested');
  },
};

const taskPath = (id: string) => `tasks/${encodeURIComponent(id)}`;

const createdSchema = v.object({ id: nonEmpty });
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  progress: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  output: v.fallback(v.array(nonEmpty), []),
  failure: text,
  failureCode: text,
  cost: maybe(v.object({ credits: v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_CREDITS)) })),
});

const isModeration = (code = '') => code.startsWith('SAFETY.');

const costOf = ({ cost }: Pick<v.InferOutput<typeof taskSchema>, 'cost'>) =>
  cost === undefined ? {} : { costMicros: micros(Math.round(cost.credits * MICROS_PER_CREDIT)) };

function stateOf(task: v.InferOutput<typeof taskSchema>, context: ProviderContext): ProviderState {
  switch (task.status) {
    case 'PENDING':
    case 'THROTTLED':
      return { state: 'queued', retryAfterSeconds: ASKED_PACE };
    case 'SUCCEEDED':
      return { ...succeeded(...task.output), ...costOf(task) };
    case 'FAILED': {
      const said = task.failure ?? task.failureCode;
      return ended({ state: 'failed', said, moderated: isModeration(task.failureCode) }, context);
    }
    case 'CANCELLED':
      return { ...ended({ state: 'cancelled' }, context), ...costOf(task) };
    default: {
      const progress = task.progress === undefined ? undefined : Math.round(task.progress * 100);
      return { state: 'running', retryAfterSeconds: ASKED_PACE, ...defined({ progress }) };
    }
  }
}

/** Runway asks for at least five seconds between two polls of a task. */
const ASKED_PACE = 10;

async function taskOf(job: ProviderJob, context: ProviderContext) {
  const images = job.frameImages.map(async ({ frameType, url }) => ({
    uri: await context.inputs.link(url),
    position: frameType === 'first_frame' ? 'first' : 'last',
  }));
  const promptImage = await Promise.all(images);
  const { audio } = v.parse(dialectSchemas.runway, job.dialect);
  return {
    path: promptImage.length === 0 ? 'text_to_video' : 'image_to_video',
    json: {
      ...job.options,
      model: job.upstreamModel,
      promptText: job.prompt,
      ratio: `${job.width}:${job.height}`,
      duration: job.durationSeconds,
      ...(audio ? { audio: job.generateAudio } : {}),
      ...defined({ seed: job.seed }),
      ...(await referencesOf(job, context)),
      ...(promptImage.length === 0 ? {} : { promptImage }),
    },
  };
}

const REFERENCES = { image: 'references', audio: 'referenceAudio', video: 'referenceVideos' } as const;

/** Sounds and clips name their kind; images do not. */
async function referencesOf({ inputReferences }: ProviderJob, { inputs }: ProviderContext) {
  const linked = inputReferences.map(async ({ kind, url }) => ({
    name: REFERENCES[kind],
    reference: { ...(kind === 'image' ? {} : { type: kind }), uri: await inputs.link(url) },
  }));
  const byName = Map.groupBy(await Promise.all(linked), ({ name }) => name);
  return Object.fromEntries([...byName].map(([name, all]) => [name, all.map(({ reference }) => reference)]));
}
