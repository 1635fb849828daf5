import type { Log } from '../log.ts';
import type { DueRow, OverdueRow, SweptRows } from './swept-rows.ts';

const MINUTE = 60_000;

/** Between two sweeps of a row that nobody moves. The last wait is repeated. */
const WAIT_MINUTES = [2, 4, 8, 16];

/** What depends on the kind of rows. */
export interface RowCare {
  /** For how long after it is due a row is left to its own workers. */
  readonly graceMilliseconds: number;
  /** Why the row must be taken out for good; undefined while it may still go on by itself. */
  quarantineReason(row: OverdueRow, now: Date): string | undefined;
  /** @returns false when somebody has moved the row since it was read */
  quarantine(row: OverdueRow, reason: string, now: Date): Promise<boolean>;
  /** Sends the message that makes a worker go on. */
  send(row: OverdueRow): Promise<void>;
  /** When the sweeper looks again, if nobody moves the row until then. @default later each time */
  nextVisit?(row: OverdueRow, now: number): number;
}

export interface SweepRowPorts {
  readonly sweptRows: Pick<SweptRows, 'find' | 'postpone'>;
  readonly countQuarantined: () => void;
  readonly now: () => Date;
  readonly log: Log;
}

export const laterVisit = ({ sweeps }: OverdueRow, now: number): number =>
  now + (WAIT_MINUTES[sweeps] ?? WAIT_MINUTES.at(-1) ?? 0) * MINUTE;

/** Decides what to do for a row whose next step is overdue: send its message again, or take it out. */
export async function sweepRow(
  { id, due_at: dueAt }: DueRow,
  care: RowCare,
  ports: SweepRowPorts,
): Promise<void> {
  const row = await ports.sweptRows.find(id);
  // The index lags a little behind.
  if (row === undefined || row.due_at !== dueAt) return;
  const now = ports.now();
  const reason = care.quarantineReason(row, now);
  if (reason === undefined) return sendAgain(row, care, ports);
  if (!(await care.quarantine(row, reason, now))) return;
  ports.countQuarantined();
  ports.log.error('row quarantined', { row_id: id, reason });
}

/** The row is put off first, so that of two sweepers only one sends. A crash in between costs one wait. */
async function sendAgain(row: OverdueRow, care: RowCare, { sweptRows, now }: SweepRowPorts): Promise<void> {
  const visit = (care.nextVisit ?? laterVisit)(row, now().getTime());
  if (await sweptRows.postpone(row, visit - care.graceMilliseconds)) await care.send(row);
}
