import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { type Micros, micros } from '../../money/micros.ts';
import { dialectSchemas } from './dialects.ts';
import {
  defined,
  ended,
  expectSameJob,
  maybe,
  nonEmpty,
  succeeded,
  text,
  type VendorApi,
  vendorApi,
} from './kit.ts';
import { manners } from './manners.ts';
import {
  type ProviderContext,
  ProviderError,
  type ProviderJob,
  type ProviderState,
  type Submission,
  type VideoProvider,
} from './provider.ts';

const klingApi = vendorApi({
  base: 'https://api-singapore.klingai.com',
  credential: bearer,
  /** 1303 means that all of the account's places are taken; the job waits, however often that comes. */
  errors: ({ code = '' }) => {
    if (code === '1300' || code === '1301') return 'moderated';
    if (code === '1302' || code === '1303') return 'rate_limited';
    // 1304: the caller's address is not among those that the account allows.
    if (/^1[01]0\d$|^1304$/.test(code)) return 'credential';
    return /^120[0-3]$/.test(code) ? 'refused' : undefined;
  },
});
/** Where tasks of models from 3.0 on are asked about, several at once; it stands in their refs. */
const TASKS = 'tasks';
const PATHS = ['v1/videos/text2video', 'v1/videos/image2video'] as const;

/** Kling's own API. It knows a task by our id too, so it can be asked about a submit without an answer. */
export const kling: VideoProvider = {
  name: 'kling',
  manners: manners.kling,

  async submit(job, context) {
    const { wire } = v.parse(dialectSchemas.kling, job.dialect);
    if (wire !== 'by-field' || job.source !== undefined) return submitByPath(job, wire, context);
    const path = PATHS[job.frameImages.length > 0 ? 1 : 0];
    const json = await taskOf(job, context);
    const { data } = await klingApi(context).post(path, { json }, createdSchema);
    return { ref: { path, task_id: data.task_id }, upstreamId: data.task_id };
  },

  async lookup(jobId, context) {
    const api = klingApi(context);
    for (const path of PATHS) {
      const reply = await api.send('GET', taskPath(path, jobId));
      const found = v.safeParse(createdSchema, reply.body);
      if (reply.status === 200 && found.success) {
        const { task_id } = found.output.data;
        return { ref: { path, task_id }, upstreamId: task_id };
      }
      if (reply.status === 429 || reply.status >= 500) throw api.errorOf(reply);
    }
    // A task that is not found may still be on its way.
    return (await findTask(`external_task_ids=${encodeURIComponent(jobId)}`, api)) ?? 'unknown';
  },

  async poll(ref, context) {
    const { path, task_id } = v.parse(refSchema, ref);
    if (path === TASKS) return pollTask(task_id, context);
    const { data } = await klingApi(context).get(taskPath(path, task_id), taskSchema);
    expectSameJob(task_id, data.task_id);
    return stateOf(data, context);
  },

  checkKey: (context) => klingApi(context).get(`${PATHS[0]}?pageSize=1`, v.object({ code: v.literal(0) })),
};

const taskPath = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** Older accounts have a pair, `access:secret`, which signs a token (RFC 7519) for each call; newer ones have a key. */
function bearer(key: string, at: Date): { authorization: string } {
  const [access, secret] = key.split(':');
  if (access === undefined || secret === undefined) return { authorization: `Bearer ${key}` };
  const now = Math.floor(at.getTime() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ iss: access, exp: now + 1800, nbf: now - 5 })}`;
  const signature = createHmac('sha256', secret).update(claims).digest('base64url');
  return { authorization: `Bearer ${claims}.${signature}` };
}

const refSchema = v.object({ path: v.string(), task_id: v.string() });
const createdSchema = v.object({ code: v.literal(0), data: v.object({ task_id: nonEmpty }) });
const taskSchema = v.object({
  code: v.literal(0),
  data: v.object({
    task_id: v.string(),
    task_status: v.string(),
    task_status_msg: text,
    task_result: maybe(v.object({ videos: v.array(v.object({ url: nonEmpty })) })),
  }),
});

const isModeration = (said = '') => /risk control|content policy|sensitive/i.test(said);

function stateOf(
  { task_status, task_status_msg, task_result }: v.InferOutput<typeof taskSchema>['data'],
  context: ProviderContext,
): ProviderState {
  switch (task_status) {
    case 'submitted':
      return { state: 'queued' };
    // Spelt like this in this generation of the API; the next one spells it out.
    case 'succeed':
    case 'succeeded':
      return succeeded(...(task_result?.videos ?? []).map(({ url }) => url));
    case 'failed': {
      const moderated = isModeration(task_status_msg);
      return ended({ state: 'failed', said: task_status_msg, moderated }, context);
    }
    default:
      return { state: 'running' };
  }
}

async function taskOf(job: ProviderJob, context: ProviderContext) {
  const { mode, sound } = v.parse(dialectSchemas.kling, job.dialect);
  const names = { first_frame: 'image', last_frame: 'image_tail' } as const;
  const frames = job.frameImages.map(async ({ frameType, url }) => [
    names[frameType],
    await context.inputs.link(url),
  ]);
  return {
    ...job.options,
    model_name: job.upstreamModel,
    prompt: job.prompt,
    duration: `${job.durationSeconds}`,
    mode,
    aspect_ratio: job.aspectRatio,
    external_task_id: job.id,
    ...defined({ callback_url: job.callbackUrl }),
    ...(sound ? { sound: job.generateAudio ? 'on' : 'off' } : {}),
    ...Object.fromEntries(await Promise.all(frames)),
  };
}

const createdTaskSchema = v.object({ code: v.literal(0), data: v.object({ id: nonEmpty }) });
const decimal = v.union([v.number(), v.pipe(v.string(), v.decimal(), v.toNumber())]);
const tasksSchema = v.object({
  code: v.literal(0),
  data: v.array(
    v.object({
      id: nonEmpty,
      status: v.string(),
      message: text,
      outputs: v.fallback(v.array(v.object({ type: text, url: text })), []),
      billing: v.fallback(v.array(v.object({ amount: decimal, currency: text })), []),
    }),
  ),
});
type Task = v.InferOutput<typeof tasksSchema>['data'][number];

type Wire = v.InferOutput<typeof dialectSchemas.kling>['wire'];

/** Only models that take any input change videos. */
async function submitByPath(job: ProviderJob, wire: Wire, context: ProviderContext): Promise<Submission> {
  const usual = job.frameImages.length > 0 ? 'image-to-video' : 'text-to-video';
  const way = wire === 'omni' || job.source !== undefined ? 'omni-video' : usual;
  const json = await taskByPath(job, wire, context);
  const path = `${way}/${job.upstreamModel}`;
  const { data } = await klingApi(context).post(path, { json }, createdTaskSchema);
  return { ref: { path: TASKS, task_id: data.id }, upstreamId: data.id };
}

async function taskByPath(job: ProviderJob, wire: Wire, context: ProviderContext) {
  const given = [
    ...job.frameImages.map(({ frameType, url }) => ({ type: frameType, url })),
    ...job.inputReferences.map(({ kind, url }) => ({
      type: kind === 'video' ? 'feature_video' : 'refer_image',
      url,
    })),
    ...(job.source === undefined ? [] : [{ type: 'base_video', url: job.source.url }]),
  ];
  const media = given.map(async ({ type, url }) => ({ type, url: await context.inputs.link(url) }));
  const prompt = { type: 'prompt', text: job.prompt };
  return {
    ...job.options,
    ...(media.length === 0 && wire === 'by-path'
      ? { prompt: job.prompt }
      : { contents: [prompt, ...(await Promise.all(media))] }),
    settings: settingsOf(job),
    options: { ...defined({ callback_url: job.callbackUrl }), external_task_id: job.id },
  };
}

function settingsOf(job: ProviderJob) {
  const { sound } = v.parse(dialectSchemas.kling, job.dialect);
  const resolution = job.resolution.toLowerCase();
  // An edited video is as long as it was, and has at most the sound that it had.
  if (job.source !== undefined) {
    return { resolution, audio: job.generateAudio ? 'original' : 'off', multi_shot: false };
  }
  return {
    resolution,
    duration: job.durationSeconds,
    ...defined({ aspect_ratio: job.aspectRatio }),
    ...(sound ? { audio: job.generateAudio ? 'native' : 'off' } : {}),
  };
}

/** Undefined where it is not listed, also because the account is of the older kind. */
async function findTask(query: string, api: VendorApi): Promise<Submission | undefined> {
  const reply = await api.send('GET', `${TASKS}?${query}`);
  if (reply.status === 429 || reply.status >= 500) throw api.errorOf(reply);
  const found = v.safeParse(tasksSchema, reply.body);
  const [task] = reply.status === 200 && found.success ? found.output.data : [];
  return task && { ref: { path: TASKS, task_id: task.id }, upstreamId: task.id };
}

async function pollTask(id: string, context: ProviderContext): Promise<ProviderState> {
  const { data } = await klingApi(context).get(`${TASKS}?task_ids=${encodeURIComponent(id)}`, tasksSchema);
  const task = data.find((each) => each.id === id);
  // The list may be late, so that a task is missing in it for a moment.
  if (task === undefined) throw new ProviderError('unavailable', 'The provider does not list the job');
  switch (task.status) {
    case 'submitted':
      return { state: 'queued' };
    case 'succeeded': {
      const videos = task.outputs.filter(({ type }) => type === 'video');
      return { ...succeeded(...videos.map(({ url }) => url)), ...costOf(task) };
    }
    case 'failed':
      return ended({ state: 'failed', said: task.message, moderated: isModeration(task.message) }, context);
    default:
      return { state: 'running' };
  }
}

/** Units of a resource pack are not money; then the row's price counts. */
function costOf({ billing }: Task): { costMicros?: Micros } {
  const isMoney = billing.length > 0 && billing.every(({ currency }) => currency === 'USD');
  const dollars = billing.reduce((sum, { amount }) => sum + amount, 0);
  return isMoney && dollars >= 0 && dollars <= MOST_USD
    ? { costMicros: micros(Math.round(dollars * 1e6)) }
    : {};
}
/** No video costs as much. A larger number is an error, and the row's price counts. */
const MOST_USD = 10_000;
