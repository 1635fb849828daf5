import { markActive, unmarkActive } from '../sweeping/active-mark.ts';
import { allShards } from '../sweeping/sparse-index.ts';
import type { Finding, Row } from './audit.ts';

export interface MarkAudit {
  readonly table: string;
  /** The attribute that says whether something is left to do. */
  readonly state: string;
  readonly isOpen: (state: unknown) => boolean;
  readonly now: Date;
}

/**
 * Exactly the rows with something left to do carry the sweeper's mark: each write that opens or ends one also sets or
 * removes the mark. A row that lacks it waits for ever; one that has ended and still carries it counts as unfinished.
 */
export function findWrongMark(row: Row, { table, state, isOpen, now }: MarkAudit): Finding[] {
  const { id, active } = row;
  if (typeof id !== 'string') return [];
  const marked = { table, id, state: [state, row[state]] } as const;
  const facts = { [state]: row[state], active };
  if (isOpen(row[state])) {
    if (active !== undefined) return [];
    const repair = { row: markActive(marked, now) };
    return [{ id, problem: 'it is open, and no sweeper would find it', facts, repair }];
  }
  // Rows in quarantine have a mark of their own.
  if (typeof active !== 'string' || !allShards().includes(active)) return [];
  const repair = { row: unmarkActive(marked, active) };
  return [{ id, problem: 'it has ended, and sweepers still find it', facts, repair }];
}
