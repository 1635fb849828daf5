import { randomUUID } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { textProgress } from '../../local/terminal/progress.ts';
import { type Api, ApiUnavailable } from '../cli/api.ts';
import { apiCommand, openApi, show, targetOptions, wholeNumber } from '../cli/api-command.ts';
import { type Cli, CommandFailed, Interrupted, NoVideo, UsageError } from '../cli/cli.ts';
import { downloadsFolder } from '../cli/downloads-folder.ts';

/** The fields of a video job that commands show; all other fields are kept for `--json`. */
const jobSchema = v.looseObject({
  id: v.string(),
  status: v.string(),
  model: v.optional(v.string()),
  created_at: v.optional(v.string()),
  progress: v.optional(v.number()),
  error: v.optional(v.string()),
  waiting_for: v.optional(v.object({ reason: v.string(), until: v.string(), error: v.optional(v.string()) })),
  usage: v.optional(v.looseObject({ cost: v.number() })),
});
type Job = v.InferOutput<typeof jobSchema>;

const hasEnded = ({ status }: Job): boolean => status !== 'pending' && status !== 'in_progress';

/** `vid_…  completed  2026-11-21 09:43:02  sandbox/clip-1  $0.04` */
function jobLine({ id, status, model, created_at: created, usage, error }: Job): string {
  const time = created?.slice(0, 19).replace('T', ' ') ?? '';
  const end = usage === undefined ? (error ?? '') : `$${usage.cost}`;
  return [id, status.padEnd(11), time, model ?? '', end].join('  ').trimEnd();
}

/** `in_progress 40 %`, or `pending, waiting until 09:43:02 UTC (reason: provider_resting): HTTP 500` */
function progressLine({ status, progress = 0, waiting_for: wait }: Job): string {
  return wait === undefined
    ? `${status} ${progress} %`
    : [`${status}, waiting until ${wait.until.slice(11, 19)} UTC (reason: ${wait.reason})`, wait.error]
        .filter((part) => part !== undefined)
        .join(': ');
}

const fileSchema = v.looseObject({ id: v.string(), mime_type: v.string(), size_bytes: v.number() });
const jobListSchema = v.looseObject({ data: v.array(jobSchema) });

export const uploadCommand = (cli: Cli) =>
  apiCommand(
    'upload',
    'Uploads files of up to 100 MiB each, or 4 MiB if the stage does not accept large uploads. Genway detects the type of each file from its bytes.',
    ['upload shots.md fox.png', 'upload fox.png --json'],
  )
    .argument('<file...>', 'files to upload')
    .action(async (paths, options) => {
      const api = await openApi(options, 'api_key', cli);
      // Nothing is uploaded if a file is missing.
      const files = await Promise.all(paths.map(async (path) => ({ path, blob: await fileAt(path) })));
      for (const { path, blob } of files) {
        const form = new FormData();
        form.append('file', blob, basename(path));
        const file = await api.ask('/files', fileSchema, { form });
        show(file, [`${file.id}  ${file.mime_type}  ${file.size_bytes}  ${path}`], options.json, cli);
      }
    });

/** The file is read from disk while it is sent. @throws UsageError */
async function fileAt(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new UsageError(`Could not read ${path}`, { cause });
  }
}

export const jobsCommand = (cli: Cli) =>
  apiCommand('jobs', 'Lists the video jobs of the workspace of the key, newest first, or shows one.', [
    'jobs',
    'jobs --status failed --limit 5',
    'jobs vid_… --json',
  ])
    .argument('[id]', 'show only this job')
    .option('--status <status>', 'filter: pending, in_progress, completed, failed, cancelled or expired')
    .option('--limit <number>', 'maximum number of jobs, from 1 to 100', '20')
    .action(async (id, options) => {
      const api = await openApi(options, 'api_key', cli);
      if (id !== undefined) {
        const job = await api.ask(`/videos/${encodeURIComponent(id)}`, jobSchema);
        return show(job, [jobLine(job)], options.json, cli);
      }
      const { status, limit } = options;
      const query = new URLSearchParams({ limit, ...(status === undefined ? {} : { status }) });
      const list = await api.ask(`/videos?${query}`, jobListSchema);
      show(list, list.data.map(jobLine), options.json, cli);
    });

/** The longest time that the API holds a request. */
const WAIT_SECONDS = 20;
/** The pause before the next poll of an unchanged job, because the API may have answered without waiting. */
const PACE_MILLISECONDS = 2_000;
/** A submit and its retries make one job, because they have one idempotency key. */
const SUBMITS = 3;

export const videoCommand = (cli: Cli) =>
  apiCommand('video', 'Creates a video from a prompt, waits for it and saves it.', [
    'video "A red fox in fresh snow" --open',
    'video "A paper boat" --duration 4 --size 1280x720 --out boat.mp4',
    'video "A paper boat" --no-wait --json',
  ])
    .argument('<prompt>', 'description of the video')
    .option('--model <id>', 'ID of the model, from GET /videos/models', 'sandbox/clip-1')
    .option('--duration <seconds>', 'length of the video (default: depends on the model)', wholeNumber)
    .option('--size <WxH>', 'size of the video, such as 1280x720 (default: depends on the model)')
    .option('--seed <number>', 'seed for repeatable results; not all models accept a seed', wholeNumber)
    .option('--audio', 'generate audio (default: depends on the model)')
    .option('--out <file>', 'output file (default: downloads/<job ID>.mp4)')
    .option('--open', 'open the saved video')
    .option('--no-wait', 'submit the job and exit')
    .action(async (prompt, options) => {
      const { model, duration, size, seed, audio, json } = options;
      const api = await openApi(options, 'api_key', cli);
      const request = { model, prompt, duration, size, seed, generate_audio: audio };
      const folder = options.wait && options.out === undefined ? await downloadsFolder() : '';
      const submitted = await submit(api, request);
      if (!options.wait) return show(submitted, [jobLine(submitted)], json, cli);
      const path = resolve(options.out ?? join(folder, `${submitted.id}.mp4`));
      const finish = async () => {
        const job = await waitFor(api, submitted, cli);
        await progressOf(cli).step('Saving the video', () => save(api, job.id, path));
        return job;
      };
      const job = await finish().catch((error) => {
        throw afterSubmit(error, `${submitted.id}${targetOptions(options)}`, cli);
      });
      show({ ...job, path }, [jobLine(job), path], json, cli);
      if (options.open) await cli.openFile(path);
    });

/** Progress goes to stderr, so that stdout has only the result. */
const progressOf = ({ stderr, now }: Cli) => textProgress(stderr, () => now().getTime());

async function submit(api: Api, json: unknown): Promise<Job> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let attempt = 1; ; attempt++) {
    try {
      return await api.ask('/videos', jobSchema, { json, headers });
    } catch (error) {
      if (!(error instanceof ApiUnavailable) || attempt === SUBMITS) throw error;
    }
  }
}

/** Whoever runs the command again pays for a second job, so the exit code is none that advises it. */
function afterSubmit(error: Error, job: string, { interrupted }: Cli): CommandFailed {
  if (error instanceof NoVideo) return error;
  const advice = `To show the job, run npx genway jobs ${job}`;
  return interrupted.aborted
    ? new Interrupted(`Stopped, but the job was not cancelled. ${advice}`, { cause: error })
    : new CommandFailed(`${error.message}. ${advice}`, { cause: error });
}

/** @throws NoVideo */
async function waitFor(api: Api, submitted: Job, cli: Cli): Promise<Job> {
  const job = await progressOf(cli).step('Creating the video', async (detail) => {
    let last = submitted;
    const headers = { prefer: `wait=${WAIT_SECONDS}` };
    while (!hasEnded(last)) {
      detail(progressLine(last));
      const { status } = last;
      last = await api.ask(`/videos/${last.id}`, jobSchema, { headers });
      if (last.status === status) await cli.pause(PACE_MILLISECONDS);
    }
    return last;
  });
  if (job.status === 'completed') return job;
  throw new NoVideo(`${job.id} ${job.status}${job.error === undefined ? '' : `: ${job.error}`}`);
}

/** Saves the file atomically. */
async function save(api: Api, id: string, path: string): Promise<void> {
  const { body } = await api.send(`/videos/${id}/content`);
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await pipeline(Readable.fromWeb(body ?? new ReadableStream()), createWriteStream(draft, { flags: 'wx' }));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
