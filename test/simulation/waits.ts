import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { ALONE } from './crowd.ts';
import type { Scene } from './scene.ts';

/** How long a tenant may wait for a worker because of others. */
const LONGEST_WAIT = 30_000;
/** A step of a job that waits for nobody. */
const STEP = 2_000;
/** Between two polls of a job (`functions/videos/jobs/cadence.ts`). */
const LONGEST_PAUSE = 25_000;

/** I17: a submitter, a poller and a copier, and a deliverer come in time to a job whose provider and receiver are well. */
export function judgeWaits(scene: Scene): void {
  for (const job of scene.jobs.all.values())
    if (job.workspace_id === scene.tenants[ALONE]?.id) judgeWaitsOf(job, scene);
}

function judgeWaitsOf(job: Job, { providers, receivers, violate }: Scene): void {
  const [work] = providers.worksOf(job.id);
  if (work === undefined) return;
  const expect = (what: string, from: number, to: number, alone: number) => {
    if (to - from > alone + LONGEST_WAIT)
      violate('I17', `${job.id} of a tenant beside a crowd waits ${to - from} ms for ${what}`);
  };
  expect('a submitter', Date.parse(job.created_at), work.acceptedAt, STEP);
  const endedAt = Date.parse(job.completed_at ?? '');
  const first = receivers.deliveries.find(({ id }) => id === eventIdOf(job.id));
  expect('a deliverer', endedAt, first?.at ?? Number.POSITIVE_INFINITY, STEP);
  if (job.status === 'completed')
    expect('a poller and a copier', work.doneAt, endedAt, LONGEST_PAUSE + 2 * STEP);
}
