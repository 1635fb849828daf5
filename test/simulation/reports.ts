import type { Job } from '../../functions/videos/jobs/job.ts';

interface Counts {
  readonly jobs: number;
  readonly micros: number;
}

/** Compares the ended jobs with the reports about them. */
export class Reports {
  readonly #reports = new Map<string, Counts>();
  #jobs = 0;
  #micros = 0;
  #reportedJobs = 0;
  #reportedMicros = 0;

  replaceJob(before: Job | undefined, { phase, cost_micros }: Job): void {
    if (phase !== 'settled' || before?.phase === 'settled') return;
    this.#jobs++;
    this.#micros += cost_micros ?? 0;
  }

  replaceReport(id: string, row: Readonly<Record<string, unknown>>): void {
    const before = this.#reports.get(id) ?? { jobs: 0, micros: 0 };
    const after = { jobs: Number(row.jobs), micros: Number(row.micros) };
    this.#reports.set(id, after);
    this.#reportedJobs += after.jobs - before.jobs;
    this.#reportedMicros += after.micros - before.micros;
  }

  contradiction(): string | undefined {
    if (this.#jobs === this.#reportedJobs && this.#micros === this.#reportedMicros) return undefined;
    return `reports tell of ${this.#reportedJobs} ends and ${this.#reportedMicros}, not ${this.#jobs} and ${this.#micros}`;
  }
}
