import * as v from 'valibot';
import { unreadFields } from '../../aws/readable-rows.ts';
import { holdSchema } from '../../money/hold.ts';
import { type Job, jobSchema } from './job.ts';

/** In place of a workspace that cannot be read: none has this name, so that only management sees the job. */
export const UNKNOWN_WORKSPACE = 'unknown';

const LONG_AGO = new Date(0).toISOString();

/** What stands for a field that a job must have and that cannot be read. */
const PLACEHOLDERS = {
  workspace_id: UNKNOWN_WORKSPACE,
  key_hash: 'unknown',
  model: 'unknown',
  estimate_micros: 0,
  public_url: '',
  status: 'in_progress',
  // Whoever asks by this what to do with the job finds nothing to do.
  phase: 'settled',
  seq: 0,
  submits: 0,
  polls: 0,
  due_at: 0,
  deadline_at: 0,
  history: [],
  created_at: LONG_AGO,
  updated_at: LONG_AGO,
} as const;

export interface SalvagedJob {
  readonly job: Job;
  /** What could not be read, none for a sound row. */
  readonly unread: readonly string[];
}

/**
 * A row as far as it can be read, after a rollback or a mishap with the table. For showing and for ending the
 * job; nobody works on it.
 */
export function salvageJob(row: Record<string, unknown>): SalvagedJob {
  const read = v.safeParse(jobSchema, row);
  if (read.success) return { job: read.output, unread: [] };
  const unread = unreadFields(read.issues);
  const lost = new Set(unread.map((path) => path.split('.', 1)[0]));
  const sound = Object.entries(row).filter(([name]) => !lost.has(name));
  const placeholders = Object.entries(PLACEHOLDERS).filter(([name]) => lost.has(name));
  const holds = lost.has('holds') ? { holds: soundHolds(row.holds) } : {};
  const parts = Object.fromEntries([...sound, ...placeholders]);
  // A phase that can be read is no invitation to act on the rest.
  return { job: v.parse(jobSchema, { ...parts, ...holds, phase: 'settled' }), unread };
}

const soundHolds = (holds: unknown) =>
  Array.isArray(holds) ? holds.filter((hold) => v.is(holdSchema, hold)) : [];
