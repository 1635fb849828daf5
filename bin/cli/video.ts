import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { textProgress } from '../../local/terminal/progress.ts';
import { wholeNumber } from '../../local/terminal/whole-number.ts';
import { type Api, ApiUnavailable } from './api.ts';
import { apiCommand, openApi, show } from './api-command.ts';
import { type Cli, Interrupted, NoVideo } from './cli.ts';
import { hasEnded, type Job, jobLine, jobSchema } from './job.ts';

/** The longest that the API holds an answer. */
const WAIT_SECONDS = 20;
/** Before a job is asked after again that has not changed: the API may have answered without waiting. */
const PACE_MILLISECONDS = 2_000;
/** A submit and its repeats are one job, by their key. */
const SUBMITS = 3;

export const videoCommand = (cli: Cli) =>
  apiCommand('video', 'Makes a video of a prompt, waits for it and saves it.', [
    'video "A red fox in fresh snow" --open',
    'video "A paper boat" --duration 4 --size 1280x720 --out boat.mp4',
    'video "A paper boat" --no-wait --json',
  ])
    .argument('<prompt>', 'what is to be seen')
    .option('--model <id>', 'GET /videos/models lists them', 'sandbox/clip-1')
    .option('--duration <seconds>', 'how long it is', wholeNumber)
    .option('--size <WxH>', 'how large it is, such as 1280x720')
    .option('--seed <number>', 'the same seed makes the same video, where the model allows it', wholeNumber)
    .option('--audio', 'with sound')
    .option('--out <file>', 'where it is saved (default: the job’s id and .mp4)')
    .option('--open', 'open it when it is saved')
    .option('--no-wait', 'only submit it')
    .action(async (prompt, options) => {
      const { model, duration, size, seed, audio, json } = options;
      const api = await openApi(options, 'api_key', cli);
      const request = { model, prompt, duration, size, seed, generate_audio: audio };
      const submitted = await submit(api, request);
      if (!options.wait) return show(submitted, [jobLine(submitted)], json, cli);
      const job = await waitFor(api, submitted, cli);
      const path = resolve(options.out ?? `${job.id}.mp4`);
      await progressOf(cli).step('Saving it', () => save(api, job.id, path));
      show({ ...job, path }, [jobLine(job), path], json, cli);
      if (options.open) await cli.openFile(path);
    });

/** People follow it on stderr, so that stdout has the result alone. */
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

/** @throws NoVideo, and Interrupted, which says how the job can be followed */
async function waitFor(api: Api, submitted: Job, cli: Cli): Promise<Job> {
  const job = await progressOf(cli).step('Making the video', async (detail) => {
    let last = submitted;
    const headers = { prefer: `wait=${WAIT_SECONDS}` };
    while (!hasEnded(last)) {
      detail(`${last.status} ${last.progress ?? 0} %`);
      try {
        const { status } = last;
        last = await api.ask(`/videos/${last.id}`, jobSchema, { headers });
        if (last.status === status) await cli.pause(PACE_MILLISECONDS);
      } catch (error) {
        if (!cli.interrupted.aborted) throw error;
        throw new Interrupted(`${last.id} goes on; genway jobs ${last.id} shows it`, { cause: error });
      }
    }
    return last;
  });
  if (job.status === 'completed') return job;
  throw new NoVideo(`${job.id} ${job.status}${job.error === undefined ? '' : `: ${job.error}`}`);
}

/** Whole or not at all. */
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
