import * as v from 'valibot';
import { unreadFields } from '../../aws/dynamo-reads.ts';
import { type Job, jobSchema } from './job.ts';
import { storedHoldSchema, wholeHold } from './stored-holds.ts';

/** Stands for a workspace that cannot be read. No workspace has this name, so only management keys see the job. */
export const UNKNOWN_WORKSPACE = 'unknown';

const LONG_AGO = new Date(0).toISOString();

/** Values for required fields that cannot be read. */
const PLACEHOLDERS = {
  workspace_id: UNKNOWN_WORKSPACE,
  key_hash: 'unknown',
  model: 'unknown',
  estimate_micros: 0,
  public_url: '',
  status: 'in_progress',
  // A settled job has nothing left to do.
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
  /** The fields that could not be read; none for a sound row. */
  readonly unread: readonly string[];
}

/**
 * Reads as much of a row as can be read, after a rollback or damage to the table. The job can be shown and ended;
 * nobody works on it.
 */
export function salvageJob(row: Record<string, unknown>): SalvagedJob {
  const read = v.safeParse(jobSchema, row);
  if (read.success) return { job: read.output, unread: [] };
  const unread = unreadFields(read.issues);
  const lost = new Set(unread.map((path) => path.split('.', 1)[0]));
  const sound = Object.entries(row).filter(([name]) => !lost.has(name));
  const placeholders = Object.entries(PLACEHOLDERS).filter(([name]) => lost.has(name));
  const parts = Object.fromEntries([...sound, ...placeholders]);
  // The phase is replaced even where it can be read, because nobody may work on a damaged row.
  const job = v.parse(jobSchema, { ...parts, holds: [], phase: 'settled' });
  const holder = { ...job, workspace_id: listedWorkspace(row) ?? job.workspace_id };
  return { job: { ...job, holds: soundHolds(row.holds).map((hold) => wholeHold(hold, holder)) }, unread };
}

const soundHolds = (holds: unknown) =>
  (Array.isArray(holds) ? holds : [])
    .map((hold: unknown) => v.safeParse(storedHoldSchema, hold))
    .flatMap(({ success, output }) => (success ? [output] : []));

/** A row says its workspace twice, so money held there is released even where one of them is lost. */
function listedWorkspace({ workspace_status: listed }: Record<string, unknown>): string | undefined {
  return typeof listed === 'string' ? listed.split('#', 1)[0] : undefined;
}
