import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { dialectSchemas } from './dialects.ts';
import { apiKey, ended, expectSameJob, maybe, nonEmpty, succeeded, text, vendorApi } from './kit.ts';
import { manners } from './manners.ts';
import type { ProviderContext, ProviderJob, ProviderState, VideoProvider } from './provider.ts';

const klingApi = vendorApi({
  base: 'https://api-singapore.klingai.com',
  headers: bearer,
  /** 1303 means that all of the account's places are taken; the job waits, however often that comes. */
  errors: ({ code = '' }) => {
    if (code === '1301') return 'moderated';
    if (code === '1302' || code === '1303') return 'rate_limited';
    if (/^1[01]0\d$/.test(code)) return 'credential';
    return /^120[0-3]$/.test(code) ? 'refused' : undefined;
  },
});
const PATHS = ['v1/videos/text2video', 'v1/videos/image2video'] as const;

/** Kling's own API. It knows a task by our id too, so it can be asked about a submit without an answer. */
export const kling: VideoProvider = {
  name: 'kling',
  manners: manners.kling,

  async submit(job, context) {
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
    return 'unknown';
  },

  async poll(ref, context) {
    const { path, task_id } = v.parse(refSchema, ref);
    const { data } = await klingApi(context).get(taskPath(path, task_id), taskSchema);
    expectSameJob(task_id, data.task_id);
    return stateOf(data, context);
  },
};

const taskPath = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

/** Older accounts have a pair, `access:secret`, which signs a token (RFC 7519) for each call; newer ones have a key. */
function bearer(context: ProviderContext): { authorization: string } {
  const key = apiKey(context);
  const [access, secret] = key.split(':');
  if (access === undefined || secret === undefined) return { authorization: `Bearer ${key}` };
  const now = Math.floor(context.now().getTime() / 1000);
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
    ...(sound ? { sound: job.generateAudio ? 'on' : 'off' } : {}),
    ...Object.fromEntries(await Promise.all(frames)),
  };
}
