import type { Log } from '../../telemetry/log.ts';
import type { InputObjects } from '../inputs/input-objects.ts';
import type { Stills, StoredOutput } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Pictures } from './pictures.ts';

export interface StillsPorts {
  readonly jobs: Pick<JobStore, 'find' | 'addStills'>;
  readonly objects: Pick<InputObjects, 'open' | 'put' | 'remove'>;
  readonly bucket: string;
  readonly picturesOf: (video: AsyncIterable<Uint8Array>) => Promise<Pictures | undefined>;
  readonly log: Log;
}

/** A function has 512 MiB of files. */
const LARGEST_VIDEO = 400 * 1024 * 1024;

/**
 * Stores pictures beside the results of a completed job: a thumbnail, a spritesheet, and the last frame, with which another
 * video may begin. A video that cannot be decoded has none. It may run again; if the job is deleted meanwhile, so are they.
 */
export async function makeStills(jobId: string, ports: StillsPorts): Promise<void> {
  const { jobs, objects, bucket, log } = ports;
  const job = await jobs.find(jobId);
  if (job?.outputs === undefined || job.stills !== undefined) return;
  const stills: Stills[] = [];
  // One at a time: a decoder takes all of the function's memory.
  for (const output of job.outputs) stills.push(await stillsOf(output, ports));
  const isKept = await jobs.addStills(jobId, stills);
  const keys = stills.flatMap((each) => Object.values(each));
  if (!isKept) await Promise.all(keys.map((key) => objects.remove({ bucket, key })));
  log.info('stills made', { job_id: jobId, is_kept: isKept, count: keys.length });
}

async function stillsOf(
  { key, size_bytes: size }: StoredOutput,
  { objects, bucket, picturesOf, log }: StillsPorts,
): Promise<Stills> {
  if (size > LARGEST_VIDEO) return {};
  const pictures = await picturesOf(await objects.open({ bucket, key }));
  if (pictures === undefined) {
    log.warn('video not decoded', { key });
    return {};
  }
  const stem = key.replace(/\.mp4$/, '');
  const stills: Stills = {};
  const store = async (name: keyof Stills, picture: Uint8Array | undefined, end: string) => {
    if (picture === undefined) return;
    const stored = `${stem}.${end}.jpg`;
    await objects.put({ bucket, key: stored }, picture, 'image/jpeg');
    stills[name] = stored;
  };
  await store('thumbnail', pictures.thumbnail, 'thumbnail');
  await store('last_frame', pictures.lastFrame, 'last');
  await store('spritesheet', pictures.spritesheet, 'spritesheet');
  return stills;
}
