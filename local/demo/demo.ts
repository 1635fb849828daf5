import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { describeMp4 } from '../../functions/videos/results/mp4-structure.ts';
import { type Progress, silentProgress, textProgress } from '../terminal/progress.ts';
import { visible } from '../terminal/text.ts';
import { DemoApi, DemoError } from './demo-api.ts';
import { openReceiver, type Receiver, verifyDelivery } from './receiver.ts';

const PROMPT = 'A red fox runs through fresh snow at golden hour';
const LONGEST_WAIT_MS = 120_000;
const POLL_MS = 500;

const keySchema = v.object({ key: v.string() });
const workspaceSchema = v.object({ data: v.object({ id: v.string(), slug: v.string() }) });
const secretSchema = v.object({ secret: v.string() });
const fileSchema = v.object({ id: v.string(), mime_type: v.string() });
const jobSchema = v.object({
  id: v.string(),
  status: v.string(),
  progress: v.optional(v.number(), 0),
  error: v.optional(v.string(), ''),
  usage: v.optional(v.object({ cost: v.number() })),
});

interface Target {
  readonly baseUrl: string;
  readonly key: string;
}

/** Creates a workspace with its own key and signing secret, so that a demo does not affect other workspaces. */
async function makeWorkspace({ baseUrl, key }: Target, progress: Progress) {
  const manager = new DemoApi(baseUrl, key);
  return progress.step('Creating a workspace with a key and a signing secret', async () => {
    const slug = `demo-${Date.now().toString(36)}`;
    const { data } = await manager.post('/workspaces', { name: 'Demo', slug }, workspaceSchema);
    const created = await manager.post('/keys', { name: 'Demo', workspace_id: data.id }, keySchema);
    const { secret } = await manager.post(`/workspaces/${data.id}/webhook-secret/rotate`, {}, secretSchema);
    return { api: new DemoApi(baseUrl, created.key), secret };
  });
}

async function upload(api: DemoApi, progress: Progress): Promise<string> {
  return progress.step('Uploading a file', async () => {
    const form = new FormData();
    form.append('file', new Blob(['# Shot list\n\n1. A red fox\n2. Fresh snow\n']), 'shots.md');
    const file = await api.post('/files', form, fileSchema);
    return `${file.id} (${file.mime_type})`;
  });
}

async function makeVideo(api: DemoApi, callbackUrl: string | undefined, progress: Progress) {
  return progress.step('Creating a video', async (detail) => {
    const request = {
      model: 'sandbox/clip-1',
      prompt: PROMPT,
      duration: 4,
      size: '1280x720',
      seed: 7,
      generate_audio: true,
      ...(callbackUrl === undefined ? {} : { callback_url: callbackUrl }),
    };
    let job = await api.post('/videos', request, jobSchema);
    const until = Date.now() + LONGEST_WAIT_MS;
    while (job.status === 'pending' || job.status === 'in_progress') {
      if (Date.now() > until) throw new DemoError(`${job.id} is still ${job.status} after two minutes`);
      detail(`${job.status} ${job.progress} %`);
      await wait(POLL_MS);
      job = await api.get(`/videos/${job.id}`, jobSchema);
    }
    if (job.status !== 'completed') throw new DemoError(`${job.id} ${job.status}: ${job.error}`);
    return job;
  });
}

async function download(api: DemoApi, jobId: string, folder: string, progress: Progress) {
  return progress.step('Downloading the video and checking its structure', async () => {
    const bytes = await api.download(`/videos/${jobId}/content`);
    const found = describeMp4(bytes);
    await mkdir(folder, { recursive: true });
    const path = resolve(folder, `${jobId}.mp4`);
    await writeFile(path, bytes);
    const { width, height, durationSeconds, videoCodec, hasAudio } = found;
    const sound = hasAudio ? 'with sound' : 'silent';
    return {
      path,
      summary: `${width}x${height}, ${durationSeconds} s, ${videoCodec}, ${sound}, ${bytes.length} bytes`,
    };
  });
}

async function checkWebhook(receiver: Receiver, secret: string, progress: Progress): Promise<string> {
  return progress.step('Receiving the webhook and verifying its signature', async () => {
    const late = wait(LONGEST_WAIT_MS, undefined, { ref: false }).then(() => {
      throw new DemoError('No webhook arrived within two minutes');
    });
    const event = verifyDelivery(await Promise.race([receiver.delivery, late]), secret);
    return v.parse(v.object({ type: v.string() }), event).type;
  });
}

async function play(target: Target, folder: string, progress: Progress): Promise<string[]> {
  const isManagement = target.key.startsWith('mk-');
  const workspace = isManagement ? await makeWorkspace(target, progress) : undefined;
  const api = workspace?.api ?? new DemoApi(target.baseUrl, target.key);
  const receiver = workspace === undefined || !isLocal(target) ? undefined : await openReceiver();
  try {
    const file = await upload(api, progress);
    const job = await makeVideo(api, receiver?.url, progress);
    const video = await download(api, job.id, folder, progress);
    const lines = [
      `file     ${file}`,
      `job      ${job.id}, cost $${job.usage?.cost}`,
      `video    ${video.summary}`,
    ];
    if (workspace !== undefined && receiver !== undefined) {
      lines.push(`webhook  ${await checkWebhook(receiver, workspace.secret, progress)}, signature verified`);
    }
    return [...lines, `saved    ${video.path}`];
  } finally {
    receiver?.close();
  }
}

/** Only a stage on this machine can call a receiver on this machine. */
const isLocal = ({ baseUrl }: Target): boolean =>
  ['127.0.0.1', 'localhost'].includes(new URL(baseUrl).hostname);

/** Uploads, submits, polls, downloads, and verifies a signed webhook; saves the video in the folder. @throws DemoError */
export async function demo(target: Target, folder: string): Promise<void> {
  const lines = await play(target, folder, textProgress(process.stdout, Date.now));
  process.stdout.write(`\n${lines.map((line) => `  ${visible(line)}`).join('\n')}\n`);
}

/** The same without output, and without keeping the video. @returns the lines of the report @throws DemoError */
export async function playQuietly(target: Target): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'genway-demo-'));
  try {
    const lines = await play(target, folder, silentProgress);
    return lines.filter((line) => !line.includes(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}
