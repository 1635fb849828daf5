import assert from 'node:assert/strict';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { ENDED, RANK } from '../../histories/check-history.ts';
import type { JobWorld } from './job-world.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

/** Checks a world after each step, because callers also see the states in between. `expect` would take longer than a step. */
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
    assert.equal(this.#world.settlements, jobs.filter(({ phase }) => phase === 'settled').length);
  }

  #checkJob(job: Job): void {
    // The provider gets a job at most once, and nobody pays for work that it did not get.
    const works = this.#provider.works.get(job.id)?.length ?? 0;
    if (works > 1 || job.status === 'completed') assert.equal(works, 1);

    const before = this.#seen.get(job.id);
    if (before === job) return;
    if (before !== undefined) expectForward(before, job);
    this.#seen.set(job.id, job);
    const isOver = RANK[job.status] === ENDED;
    assert.equal(isOver, job.phase === 'settled');

    assert.equal(job.cost_micros !== undefined, job.status === 'completed');
    assert.equal(job.outputs !== undefined, job.status === 'completed');
    assert.equal(job.history.filter(({ status }) => RANK[status] === ENDED).length, isOver ? 1 : 0);

    // There is exactly one event, and it is written together with the job's end.
    const eventId = `msg_${job.id.slice('vid_'.length)}`;
    const told = isOver ? `video.generation.${job.status}` : undefined;
    assert.equal(this.#world.events.get(eventId)?.type, told);
    assert(isOver || !this.#world.eventMessages.includes(eventId));
  }

  checkEnd(): void {
    this.check();
    for (const { phase } of this.#world.rows.values()) assert.equal(phase, 'settled');
    assert.equal(this.#world.events.size, this.#world.rows.size);
  }
}

function expectForward(before: Job, job: Job): void {
  assert(RANK[job.status] >= RANK[before.status]);
  assert(job.seq >= before.seq);
  assert((job.progress ?? 0) >= (before.progress ?? 0));
  assert.deepEqual(job.history.slice(0, before.history.length), before.history);
  assert.notEqual(before.phase, 'settled');
}
