import * as v from 'valibot';
import { quarantineNoteSchema } from '../../../functions/sweeping/quarantined-rows.ts';
import { overdueRow, standingFailure } from '../../../functions/sweeping/swept-rows.ts';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { COPY_PHASES } from '../../../functions/videos/jobs/job-queue.ts';
import { JOB_ROWS } from '../../../functions/videos/jobs/overdue-jobs.ts';
import { GRACE_MILLISECONDS } from '../../../functions/videos/jobs/sweep-job.ts';

/** Who moves a job on, in the phase where it is. */
const workerOf = ({ phase }: Job): string => (COPY_PHASES.includes(phase) ? 'copy-videos' : 'poll-videos');

/** What will happen to a job, and what keeps it: for whoever wonders why it does not move. */
export function prospect(job: Job, row: Record<string, unknown>, now: Date): string[] {
  const note = v.safeParse(quarantineNoteSchema, row.quarantine);
  if (note.success) {
    const { at, reason } = note.output;
    return [
      `quarantined at ${at}: ${reason}`,
      `admin incident quarantine --release ${job.id} lets workers try again`,
    ];
  }
  if (row.active === undefined) return ['it has ended: nothing happens to it any more'];
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
    return `its next step has been due for ${seconds(late)} s: ${workerOf(job)} has its message, or is about to`;
  }
  return `its message is lost or fails: sweep-jobs has sent another ${sweeps} times, and looks again each minute`;
}

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);
