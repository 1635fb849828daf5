import * as v from 'valibot';
import { quarantineNoteSchema } from '../../../functions/sweeping/quarantined-rows.ts';
import { overdueRow, standingFailure } from '../../../functions/sweeping/swept-rows.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { COPY_PHASES } from '../../../functions/videos/jobs/job-queue.ts';
import { GRACE_MILLISECONDS, JOB_ROWS } from '../../../functions/videos/jobs/sweep-job.ts';

/** The worker that does the next step of a job in its phase. */
const workerOf = ({ phase }: Job): string => (COPY_PHASES.includes(phase) ? 'copy-videos' : 'poll-videos');

/** What will happen to a job, and what blocks it, for somebody who wonders why it does not progress. */
export function prospect(job: Job, row: Record<string, unknown>, now: Date): string[] {
  const note = v.safeParse(quarantineNoteSchema, row.quarantine);
  if (note.success) {
    const { at, reason } = note.output;
    return [
      `quarantined at ${at}: ${reason}`,
      `run admin incident quarantine --release ${job.id} to let workers try again`,
    ];
  }
  if (row.active === undefined) return ['it has ended: it has no next step'];
  const swept = overdueRow(row, JOB_ROWS);
  const failure = standingFailure(swept);
  const { waiting_for: wait } = job;
  return [
    nextStep(job, swept.sweeps, now.getTime()),
    ...(wait == null ? [] : [`it waits for ${wait.reason} until ${wait.until}`]),
    ...(failure === undefined ? [] : [`${workerOf(job)} fails on it: ${failure}`]),
    ...(job.deadline_at <= now.getTime() ? ['its deadline has passed: its next step ends it'] : []),
  ];
}

function nextStep(job: Job, sweeps: number, now: number): string {
  const late = now - job.due_at;
  if (late < 0) return `its next step, by ${workerOf(job)}, is due in ${seconds(-late)} s`;
  if (late < GRACE_MILLISECONDS && sweeps === 0) {
    return `its next step has been due for ${seconds(late)} s: ${workerOf(job)} has its message, or gets it soon`;
  }
  return `its message is lost or fails: sweep-jobs has sent another ${sweeps} times, and looks again each minute`;
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
