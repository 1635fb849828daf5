import { setTimeout as sleep } from 'node:timers/promises';

const INTERVAL_MILLISECONDS = 2_000;
const BACK_AND_CLEAR = '\r\u001b[2K';

export interface Awaited {
  /** `performance.now()` at the start; all times count from it. */
  readonly begun: number;
  readonly jobs: number;
  readonly openJobs: () => Promise<number>;
  /** Jobs whose callback has been called. */
  readonly told: () => number;
  readonly deadlineMilliseconds: number;
}

export interface Ends {
  /** Milliseconds until no job was open; undefined when some are still. */
  readonly ended: number | undefined;
  /** Milliseconds until every callback had been called. */
  readonly told: number | undefined;
}

/** Waits until every job has ended and every callback has been called, or until the deadline. */
export async function awaitEnds({
  begun,
  jobs,
  openJobs,
  told,
  deadlineMilliseconds,
}: Awaited): Promise<Ends> {
  let ended: number | undefined;
  for (;;) {
    const open = await openJobs();
    const passed = performance.now() - begun;
    show(`${Math.round(passed / 1000)} s: ${open} of ${jobs} jobs open, ${told()} callbacks called`);
    if (open === 0) ended ??= passed;
    const isOver = ended !== undefined && told() >= jobs;
    if (isOver || passed > deadlineMilliseconds) {
      if (process.stderr.isTTY) process.stderr.write(BACK_AND_CLEAR);
      return { ended, told: isOver ? passed : undefined };
    }
    await sleep(INTERVAL_MILLISECONDS);
  }
}

function show(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${BACK_AND_CLEAR}${text}`);
}
