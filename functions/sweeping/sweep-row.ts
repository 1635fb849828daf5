import type { Log } from '../log.ts';
import type { DueRow, OverdueRow, SweptRows } from './swept-rows.ts';

const MINUTE = 60_000;

/** Between two sweeps of a row that nobody moves; the last of them from then on. */
const WAIT_MINUTES = [2, 4, 8, 16];

/** What is particular to the rows of one kind. */
export interface RowCare {
  /** How long after it is due a row is still left to those who move it. */
  readonly graceMilliseconds: number;
  /** Why it is to be taken out of the queue for good; undefined while it may still go on by itself. */
  quarantineReason(row: OverdueRow, now: Date): string | undefined;
  /** @returns whether it was done; not when somebody has moved the row since it was read */
  quarantine(row: OverdueRow, reason: string, now: Date): Promise<boolean>;
  /** The message that has a worker go on with it. */
  send(row: OverdueRow): Promise<void>;
  /** When a sweeper looks at it again, if nobody moves it until then. @default later each time */
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

/** What there is to do for a row whose next step is overdue: send its message again, or take it out. */
export async function sweepRow(
  { id, due_at: dueAt }: DueRow,
  care: RowCare,
  ports: SweepRowPorts,
): Promise<void> {
  const row = await ports.sweptRows.find(id);
  // The index is a little late.
  if (row === undefined || row.due_at !== dueAt) return;
  const now = ports.now();
  const reason = care.quarantineReason(row, now);
  if (reason === undefined) return sendAgain(row, care, ports);
  if (!(await care.quarantine(row, reason, now))) return;
  ports.countQuarantined();
  ports.log.error('row quarantined', { row_id: id, reason });
}

/** First the row is put off, so that of two sweepers one sends; a crash in between costs it one wait. */
async function sendAgain(row: OverdueRow, care: RowCare, { sweptRows, now }: SweepRowPorts): Promise<void> {
  const visit = (care.nextVisit ?? laterVisit)(row, now().getTime());
  if (await sweptRows.postpone(row, visit - care.graceMilliseconds)) await care.send(row);
}
