import { QUARANTINED } from '../sweeping/sparse-index.ts';
import { EVENT_ROWS } from '../webhooks/events/event.ts';
import type { EventStore } from '../webhooks/events/event-store.ts';
import { findWrongMark } from './active-marks.ts';
import type { Audit, Finding, Row } from './audit.ts';

/** The sweeper looks at each due event every few minutes, and puts it off each time. */
const NEGLECTED_MILLISECONDS = 3_600_000;

export interface EventAuditPorts {
  readonly eventsTable: string;
  readonly events: Pick<EventStore, 'markLost'>;
  readonly now: () => Date;
}

/** Checks that every receiver is sent what it should get, and that what was not delivered can be recovered. */
export class EventAudit implements Audit {
  readonly name = 'events';
  readonly key = 'id';
  readonly table: string;
  readonly #ports: EventAuditPorts;

  constructor(ports: EventAuditPorts) {
    this.#ports = ports;
    this.table = ports.eventsTable;
  }

  async look(rows: readonly Row[]): Promise<Finding[]> {
    const now = this.#ports.now();
    const marks = { table: this.table, state: 'status', isOpen, now };
    return rows.flatMap((row) => [
      ...findWrongMark(row, marks),
      ...ofNeglect(row, now),
      ...this.#ofLost(row),
    ]);
  }

  #ofLost({ id, status, job_id, workspace_id, lost_in }: Row): Finding[] {
    const isLost = (status === 'failed' || status === 'no_address') && job_id !== undefined;
    if (!isLost || lost_in !== undefined) return [];
    if (typeof id !== 'string' || typeof workspace_id !== 'string') return [];
    const repair = { event: this.#ports.events.markLost(id, workspace_id, status) };
    return [{ id, problem: 'it was not delivered, and cannot be recovered', facts: { status }, repair }];
  }
}

/** An unknown status counts as open, until the sweeper has quarantined the row. */
const isOpen = (status: unknown): boolean => !EVENT_ROWS.ended.some((ended) => ended === status);

function ofNeglect({ id, status, active, attempts, due_at }: Row, now: Date): Finding[] {
  if (!isOpen(status) || typeof id !== 'string' || typeof due_at !== 'number') return [];
  if (active === QUARANTINED) return [];
  if (now.getTime() < due_at + NEGLECTED_MILLISECONDS) return [];
  return [
    {
      id,
      problem: 'it has been due for an hour, and no worker or sweeper has moved it',
      facts: { attempts, due_at },
    },
  ];
}
