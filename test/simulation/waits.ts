import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { Work } from './providers.ts';
import type { Delivery } from './receivers.ts';
import type { Violate } from './scene.ts';

/** How long a tenant may wait for a worker because of others. */
const LONGEST_WAIT = 30_000;
/** A step of a job that waits for nobody. */
const STEP = 2_000;
/** Between two polls of a job (`functions/videos/jobs/cadence.ts`). */
const LONGEST_PAUSE = 25_000;

/** I17: a submitter, a poller and a copier, and a deliverer come in time to a job whose provider and receiver are well. */
export function judgeWaits(
  job: Job,
  [work]: readonly Work[],
  deliveries: readonly Delivery[],
  violate: Violate,
): void {
  if (work === undefined) return;
  const expect = (what: string, from: number, to: number, alone: number) => {
    if (to - from > alone + LONGEST_WAIT)
      violate('I17', `${job.id} of a tenant beside a crowd waits ${to - from} ms for ${what}`);
  };
  expect('a submitter', Date.parse(job.created_at), work.acceptedAt, STEP);
  const endedAt = Date.parse(job.completed_at ?? '');
  const first = deliveries.find(({ id }) => id === eventIdOf(job.id));
  expect('a deliverer', endedAt, first?.at ?? Number.POSITIVE_INFINITY, STEP);
  if (job.status === 'completed')
    expect('a poller and a copier', work.doneAt, endedAt, LONGEST_PAUSE + 2 * STEP);
}
