import * as v from 'valibot';
import type { OverdueRow, RowKind } from '../../sweeping/swept-rows.ts';
import { jobSchema } from './job.ts';

/** How the sweeper judges the progress of a job. */
export const JOB_ROWS: RowKind = { step: 'step', state: 'phase', ended: ['settled'] };

const overdueJobSchema = v.object({
  phase: v.fallback(v.optional(jobSchema.entries.phase), undefined),
  seq: v.fallback(v.number(), 0),
  link: v.fallback(v.optional(v.string()), undefined),
  /** An unreadable deadline counts as passed. */
  deadline_at: v.fallback(v.number(), 0),
});

/** What the sweeper needs, as far as the job's row can be read. */
export const overdueJob = ({ row }: OverdueRow) => v.parse(overdueJobSchema, row);
