import * as v from 'valibot';
import { cursorPageSchema } from '../http/answer-schemas.ts';
import { characters, describedTimestamp, pageCursor, pageSize } from '../http/validation.ts';
import { auditEntrySchema } from './audit-entry.ts';

const CURSOR = /^\d{4}-[\dT:.-]{18}Z~[!-~]{1,128}$/;

/** The query of `GET /audit`. */
export const auditQuery = {
  since: v.exactOptional(describedTimestamp('Only events at or after this time. Default: 30 days ago')),
  action: v.exactOptional(
    v.pipe(characters(1, 64), v.description('Only events of this operation, such as `create-key`')),
  ),
  limit: v.optional(pageSize(100), '50'),
  cursor: pageCursor(CURSOR),
};

export const auditPageSchema = cursorPageSchema(auditEntrySchema);
