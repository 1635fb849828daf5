import * as v from 'valibot';
import { JOB_STATUSES } from '../../functions/videos/jobs/job.ts';
import type { DemoApi } from '../../local/demo/demo-api.ts';
import { inParallel } from './in-parallel.ts';

const AT_ONCE = 8;

const statusSchema = v.picklist(JOB_STATUSES);
const jobSchema = v.object({
  id: v.string(),
  status: statusSchema,
  created_at: v.string(),
  completed_at: v.optional(v.string()),
  error: v.optional(v.string(), ''),
  usage: v.optional(v.object({ cost: v.number() })),
  metadata: v.optional(v.record(v.string(), v.string()), {}),
});
const pageSchema = v.object({ data: v.array(jobSchema), cursor: v.nullable(v.string()) });
const historySchema = v.object({ data: v.array(v.object({ status: statusSchema })) });

export interface SeenJob extends v.InferOutput<typeof jobSchema> {
  /** All its statuses, in order. */
  readonly history: readonly v.InferOutput<typeof statusSchema>[];
}

/** All jobs of the caller's workspace, as the API shows them. */
export async function readJobs(api: DemoApi): Promise<SeenJob[]> {
  const jobs: v.InferOutput<typeof jobSchema>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: v.InferOutput<typeof pageSchema> = await api.get(`/videos?limit=100${from}`, pageSchema);
    jobs.push(...page.data);
    cursor = page.cursor;
  }
  return inParallel(jobs, AT_ONCE, async (job) => {
    const { data } = await api.get(`/videos/${job.id}/events`, historySchema);
    return { ...job, history: data.map(({ status }) => status) };
  });
}

/** The maximum number of jobs that were open at the same time. */
export function mostAtOnce(jobs: readonly SeenJob[]): number {
  const changes = jobs.flatMap(({ created_at, completed_at }) => [
    { at: created_at, by: 1 },
    ...(completed_at === undefined ? [] : [{ at: completed_at, by: -1 }]),
  ]);
  let [open, most] = [0, 0];
  for (const { by } of changes.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

/** The milliseconds in which the middle nine tenths of the jobs ended. */
export function spreadOfEnds(jobs: readonly SeenJob[]): number {
  const ends = jobs.flatMap(({ completed_at }) =>
    completed_at === undefined ? [] : [Date.parse(completed_at)],
  );
  const sorted = ends.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return at(0.95) - at(0.05);
}
