import * as v from 'valibot';
import { micros } from '../../money/micros.ts';
import { dialectSchemas } from './dialects.ts';
import { defined, ended, expectSameJob, maybe, nonEmpty, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

/** Runway answers by the version that a request names, and refuses requests without one. */
const VERSION = '2024-11-06';

const runwayApi = vendorApi({
  base: 'https://api.dev.runwayml.com/v1',
  headers: { 'x-runway-version': VERSION },
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
    const { id, estimatedCost } = await runwayApi(context).post(path, { json }, createdSchema);
    return { ref: { id, ...defined({ most_credits: estimatedCost?.credits }) }, upstreamId: id };
  },

  async poll(ref, context) {
    const { id, most_credits } = v.parse(refSchema, ref);
    const task = await runwayApi(context).get(taskPath(id), taskSchema);
    expectSameJob(id, task.id);
    return stateOf(task, most_credits, context);
  },

  /** What Runway charges for a cancelled task is said by the task alone, where that can still be read. */
  async cancel(ref, context) {
    const call = ['DELETE', taskPath(v.parse(refSchema, ref).id)] as const;
    return runwayApi(context).cancel(call, [], () => 'requested');
  },

  checkKey: (context) => runwayApi(context).get('organization', v.object({ creditBalance: v.number() })),
};

const taskPath = (id: string) => `tasks/${encodeURIComponent(id)}`;

const creditsSchema = v.pipe(v.number(), v.minValue(0), v.maxValue(MOST_CREDITS));
const costSchema = maybe(v.object({ credits: creditsSchema }));
/** The answer to a submit tells the most that its task may cost. */
const createdSchema = v.object({ id: nonEmpty, estimatedCost: costSchema });
/** Refs of older versions have no estimate. */
const refSchema = v.object({ id: v.string(), most_credits: v.exactOptional(creditsSchema) });
const taskSchema = v.object({
  id: v.string(),
  status: v.string(),
  progress: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  output: v.fallback(v.array(nonEmpty), []),
  failure: text,
  failureCode: text,
  cost: costSchema,
});

const isModeration = (code = '') => code.startsWith('SAFETY.');

const costOf = (credits: number | undefined) =>
  credits === undefined ? {} : { costMicros: micros(Math.round(credits * MICROS_PER_CREDIT)) };

function stateOf(
  task: v.InferOutput<typeof taskSchema>,
  mostCredits: number | undefined,
  context: ProviderContext,
): ProviderState {
  switch (task.status) {
    case 'PENDING':
    case 'THROTTLED':
      return { state: 'queued', retryAfterSeconds: ASKED_PACE };
    case 'SUCCEEDED':
      return { ...succeeded(...task.output), ...costOf(task.cost?.credits ?? mostCredits) };
    case 'FAILED': {
      const said = task.failure ?? task.failureCode;
      return ended({ state: 'failed', said, moderated: isModeration(task.failureCode) }, context);
    }
    case 'CANCELLED':
      return { ...ended({ state: 'cancelled' }, context), ...costOf(task.cost?.credits) };
    default: {
      const progress = task.progress === undefined ? undefined : Math.round(task.progress * 100);
      return { state: 'running', retryAfterSeconds: ASKED_PACE, ...defined({ progress }) };
    }
  }
}

/** Runway asks for at least five seconds between two polls of a task. */
const ASKED_PACE = 10;

async function taskOf(job: ProviderJob, context: ProviderContext) {
  if (job.source !== undefined) {
    // An edited video has the length, the shape and the size that it had.
    const videoUri = await context.inputs.link(job.source.url);
    return { path: 'video_to_video', json: { ...basicsOf(job), videoUri } };
  }
  const images = job.frameImages.map(async ({ frameType, url }) => ({
    uri: await context.inputs.link(url),
    position: frameType === 'first_frame' ? 'first' : 'last',
  }));
  const promptImage = await Promise.all(images);
  const dialect = v.parse(dialectSchemas.runway, job.dialect);
  return {
    path: promptImage.length === 0 ? 'text_to_video' : 'image_to_video',
    json: {
      ...basicsOf(job),
      ...shapeOf(job, dialect),
      duration: job.durationSeconds,
      ...(dialect.audio ? { audio: job.generateAudio } : {}),
      ...(await referencesOf(job, context)),
      ...(promptImage.length === 0 ? {} : { promptImage }),
    },
  };
}

const basicsOf = ({ options, upstreamModel, prompt, seed }: ProviderJob) => ({
  ...options,
  model: upstreamModel,
  promptText: prompt,
  ...defined({ seed }),
});

type Dialect = v.InferOutput<typeof dialectSchemas.runway>;

function shapeOf(job: ProviderJob, { shape, sizes }: Dialect) {
  const { aspectRatio, width, height } = job;
  const resolution = job.resolution.toLowerCase();
  if (shape === 'names') return { ...defined({ ratio: aspectRatio }), resolution };
  // The video has the shape of its first frame.
  if (aspectRatio === undefined) return { ratio: `auto_${resolution}` };
  const own = sizes && PIXELS[sizes][`${resolution} ${aspectRatio}`];
  return { ratio: own ?? `${width}:${height}` };
}

const SEEDANCE = {
  '480p 21:9': '992:432',
  '480p 4:3': '752:560',
  '480p 1:1': '640:640',
  '480p 3:4': '560:752',
  '720p 21:9': '1470:630',
  '720p 4:3': '1112:834',
  '720p 1:1': '960:960',
  '720p 3:4': '834:1112',
  '1080p 21:9': '2206:946',
  '1080p 4:3': '1664:1248',
  '1080p 1:1': '1440:1440',
  '1080p 3:4': '1248:1664',
};

/** What a model calls a shape, where that is not our width and height. From @runwayml/sdk 4.20.1. */
const PIXELS: Readonly<Record<NonNullable<Dialect['sizes']>, Readonly<Record<string, string>>>> = {
  'gen-4': {
    '720p 21:9': '1584:672',
    '720p 4:3': '1104:832',
    '720p 1:1': '960:960',
    '720p 3:4': '832:1104',
  },
  'seedance-2.0': { ...SEEDANCE, '480p 16:9': '864:496', '480p 9:16': '496:864' },
  'seedance-2.5': SEEDANCE,
  'wan-3.0': {
    '480p 16:9': '832:480',
    '480p 4:3': '720:544',
    '480p 1:1': '624:624',
    '480p 3:4': '544:720',
    '480p 9:16': '480:832',
    '720p 4:3': '1104:832',
    '720p 1:1': '960:960',
    '720p 3:4': '832:1104',
    '1080p 4:3': '1648:1248',
    '1080p 1:1': '1440:1440',
    '1080p 3:4': '1248:1648',
  },
};

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
