import { expect } from '@jest/globals';
import type { Job, JobStatus } from '../../../functions/videos/jobs/job.ts';
import type { JobWorld } from './job-world.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

const ORDER: Record<JobStatus, number> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
  expired: 2,
};

/** Checks a world after each step, because callers also see the states in between. */
export class JobInvariants {
  readonly #world: JobWorld;
  readonly #provider: SimulatedProvider;
  readonly #seen = new Map<string, Job>();

  constructor(world: JobWorld, provider: SimulatedProvider) {
    this.#world = world;
    this.#provider = provider;
  }

  check(): void {
    const jobs = [...this.#world.rows.values()];
    for (const job of jobs) this.#checkJob(job);
    expect(this.#world.settlements).toBe(jobs.filter(({ phase }) => phase === 'settled').length);
  }

  #checkJob(job: Job): void {
    // The provider gets a job at most once, and nobody pays for work that it did not get.
    const works = this.#provider.works.get(job.id)?.length ?? 0;
    if (works > 1 || (works === 0 && job.status === 'completed')) expect(works).toBe(1);

    const before = this.#seen.get(job.id);
    if (before === job) return;
    if (before !== undefined) expectForward(before, job);
    this.#seen.set(job.id, job);
    const isOver = ORDER[job.status] === 2;
    expect(isOver).toBe(job.phase === 'settled');

    expect(job.cost_micros !== undefined).toBe(job.status === 'completed');
    expect(job.outputs !== undefined).toBe(job.status === 'completed');
    expect(job.history.filter(({ status }) => ORDER[status] === 2)).toHaveLength(isOver ? 1 : 0);

    // There is exactly one event, and it is written together with the job's end.
    const eventId = `msg_${job.id.slice('vid_'.length)}`;
    expect(this.#world.events.get(eventId)?.type).toBe(isOver ? `video.generation.${job.status}` : undefined);
    expect(isOver || !this.#world.eventMessages.includes(eventId)).toBe(true);
  }

  checkEnd(): void {
    this.check();
    for (const { phase } of this.#world.rows.values()) expect(phase).toBe('settled');
    expect(this.#world.events.size).toBe(this.#world.rows.size);
  }
}

function expectForward(before: Job, job: Job): void {
  expect(ORDER[job.status]).toBeGreaterThanOrEqual(ORDER[before.status]);
  expect(job.seq).toBeGreaterThanOrEqual(before.seq);
  expect(job.progress ?? 0).toBeGreaterThanOrEqual(before.progress ?? 0);
  expect(job.history.slice(0, before.history.length)).toEqual(before.history);
  expect(before.phase).not.toBe('settled');
}
