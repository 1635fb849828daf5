import type { Job } from '../../functions/videos/jobs/job.ts';
import type { JobMessage } from '../../functions/videos/jobs/job-queue.ts';
import { aJob } from '../../test/videos/jobs/job-fixture.ts';

/** How many jobs of the slow provider there are. They are polled as often as the poller wants. */
const SLOW_JOBS = 16;
/** So many messages of a batch may be the slow provider's, if they are due. */
const SLOW_OF_BATCH = 4;
const HOUR = 3_600_000;

/** Jobs under way at two providers: without end at the quick one, and a few at the slow one, which come when they are due. */
export class WaitingJobs {
  readonly #slow = new Map<string, { readonly message: JobMessage; readonly dueAt: number }>();
  #quick = 0;

  addSlow(): void {
    for (let i = 0; i < SLOW_JOBS; i++) this.take(messageTo(`slow-${i}`), 0);
  }

  /** What the poller sends to its queue. Of the quick provider there is always another message. */
  take(message: JobMessage, delaySeconds: number): void {
    if (!message.job_id.startsWith('slow')) return;
    this.#slow.set(message.job_id, { message, dueAt: Date.now() + delaySeconds * 1_000 });
  }

  batch(size: number): JobMessage[] {
    const due = [...this.#slow.values()].filter(({ dueAt }) => dueAt <= Date.now());
    const slow = due.slice(0, Math.min(SLOW_OF_BATCH, size)).map(({ message }) => message);
    for (const { job_id } of slow) this.#slow.delete(job_id);
    const quick = Array.from({ length: size - slow.length }, () => messageTo(`quick-${this.#quick++}`));
    return [...slow, ...quick];
  }
}

const messageTo = (job_id: string): JobMessage => ({ v: 1, job_id, seq: 1 });

/** Under way at the provider that its id names, in the middle of a link. Each job has a workspace of its own. */
export function rowOf(id: string): Job | undefined {
  const [provider = ''] = id.split('-');
  if (provider !== 'quick' && provider !== 'slow') return undefined;
  const { request: _, ...row } = aJob({
    id,
    provider,
    workspace_id: `ws-${id}`,
    phase: 'polling',
    status: 'in_progress',
    ref: { id },
    polls: 8,
    due_at: Date.now() + 30_000,
    // As the provider says each time.
    progress: 50,
    deadline_at: Date.now() + HOUR,
  });
  return row;
}
