import { defined } from '../../defined.ts';
import type { EarlierVideo } from '../catalogue/continuation.ts';
import type { VideoRequest } from '../catalogue/video-request.ts';
import { isGone, type Job, type StoredOutput } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import { VIDEO_ID } from '../video-id.ts';

/** What an input takes of an earlier job: its video, or an image, which is the last frame of it. */
export type Part = 'video' | 'last_frame';

type Found =
  | { readonly key: string; readonly mediaType: string }
  /** `isComing`: it may exist in a moment. */
  | { readonly missing: string; readonly isComing: boolean };

/** Pictures of a video are made seconds after its end; where that fails, it is tried again for minutes. */
const STILLS_MILLISECONDS = 10 * 60_000;

/** The object behind an input that names a job; undefined stands for a job that does not exist. */
export function partOf(job: Job | undefined, workspaceId: string, part: Part, now: Date): Found {
  if (job === undefined || job.workspace_id !== workspaceId || job.purged_at !== undefined) {
    return missing('does not exist in this workspace');
  }
  const [output] = job.outputs ?? [];
  if (output === undefined)
    return missing(`has the status ${job.status}; only a completed video can be an input`);
  if (isGone(job, now)) return missing('has expired');
  if (part === 'video') return { key: output.key, mediaType: 'video/mp4' };
  const last = job.stills?.[0]?.last_frame;
  if (last !== undefined) return { key: last, mediaType: 'image/jpeg' };
  const age = now.getTime() - Date.parse(job.completed_at ?? job.updated_at);
  return missing('has no readable last frame', job.stills === undefined && age < STILLS_MILLISECONDS);
}

const missing = (what: string, isComing = false): Found => ({ missing: what, isComing });

/** What is known of the completed videos that a request names: their length decides who can take them, and the price. */
export async function earlierVideos(
  { previous_job_id, input_references }: VideoRequest,
  workspaceId: string,
  { jobs, now }: { readonly jobs: Pick<JobStore, 'look'>; readonly now: () => Date },
): Promise<ReadonlyMap<string, EarlierVideo>> {
  const clips = input_references.flatMap((each) => (each.type === 'video_url' ? each.video_url.url : []));
  const ids = new Set([previous_job_id ?? [], clips].flat().filter((url) => VIDEO_ID.test(url)));
  const known = [...ids].map(async (id): Promise<[string, EarlierVideo][]> => {
    const job = await jobs.look(id);
    const [output] = job?.outputs ?? [];
    const isInput = !('missing' in partOf(job, workspaceId, 'video', now()));
    return isInput && output !== undefined ? [[id, factsOf(output)]] : [];
  });
  return new Map((await Promise.all(known)).flat());
}

const factsOf = ({ width, height, duration_seconds: seconds }: StoredOutput): EarlierVideo =>
  defined({ width, height, seconds });
