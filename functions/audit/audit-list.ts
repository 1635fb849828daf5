import * as v from 'valibot';
import { cursorPageSchema } from '../http/answer-schemas.ts';
import { timestamp } from '../http/timestamp.ts';
import { wholeNumber } from '../http/validation.ts';
import { auditEntrySchema } from './audit-entry.ts';

const CURSOR = /^\d{4}-[\dT:.-]{18}Z~[!-~]{1,128}$/;

/** The query of `GET /audit`. */
export const auditQuery = {
  since: v.exactOptional(timestamp),
  limit: v.optional(wholeNumber(1, 100), '50'),
  cursor: v.exactOptional(v.pipe(v.string(), v.regex(CURSOR, 'must be the cursor of the page before'))),
};

export const auditPageSchema = cursorPageSchema(auditEntrySchema);
