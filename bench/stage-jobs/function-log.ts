import * as v from 'valibot';
import type { FunctionLogLine } from '../../local/logs/log-lines.ts';

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ level: v.string(), message: v.string(), job_id: v.optional(v.string()) }),
);

/** Counts the functions' log messages, and the jobs that they name. */
export class FunctionLog {
  readonly #lines = new Map<string, { readonly level: string; times: number; readonly jobs: Set<string> }>();

  readonly take = ({ text }: FunctionLogLine): void => {
    const line = v.safeParse(lineSchema, text);
    if (!line.success) return;
    const { level, message, job_id } = line.output;
    const said = this.#lines.get(message) ?? { level, times: 0, jobs: new Set() };
    said.times++;
    if (job_id !== undefined) said.jobs.add(job_id);
    this.#lines.set(message, said);
  };

  /** How many jobs a message named. */
  jobs(message: string): number {
    return this.#lines.get(message)?.jobs.size ?? 0;
  }

  table() {
    return Object.fromEntries(
      [...this.#lines].map(([message, { level, times, jobs }]) => [
        message,
        { level, times, jobs: jobs.size },
      ]),
    );
  }
}
