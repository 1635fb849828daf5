import { log } from './logger.ts';
import { countUnreadableRow } from './metrics.ts';

/** Tells of a row that cannot be read, by the log and a metric. */
export function tellUnreadable(id: unknown, fields: readonly string[]): void {
  log.error('row cannot be read', { row_id: id, fields });
  countUnreadableRow();
}
