import { log } from './logger.ts';
import { countUnreadableRow } from './metrics.ts';
import type { TellUnreadable } from './readable-rows.ts';

/** By the log and a metric. */
export const tellUnreadable: TellUnreadable = (id, fields) => {
  log.error('row cannot be read', { row_id: id, fields });
  countUnreadableRow();
};
