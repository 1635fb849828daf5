import * as v from 'valibot';
import { cursorPageSchema } from '../http/answer-schemas.ts';
import { characters, describedTimestamp, pageCursor, pageSize } from '../http/validation.ts';
import { changedFieldSchema } from './changed-fields.ts';

/** One change, or read of what a workspace keeps private, that was asked for with a management key. */
export const auditEntrySchema = v.object({
  at: v.pipe(v.string(), v.description('Time of the request, in ISO 8601 (UTC)')),
  action: v.pipe(v.string(), v.description('The operation, such as `create-key`')),
  target: v.pipe(
    v.record(v.string(), v.string()),
    v.description(
      'Identifiers in the request, as sent: the path parameters, `workspace_id` in the query or the JSON body, and the `id` query parameter. Each is cut off after 200 characters, and `…` replaces text that looks like a secret. In events of `get-video` and `list-videos`, `workspace_id` is always the ID of the workspace of the videos',
    ),
  ),
  fields: v.pipe(
    v.array(v.string()),
    v.description(
      'Names of the top-level fields in the JSON body, at most 50. Empty if there was no JSON body, or if the event is a sign-in',
    ),
  ),
  changes: v.pipe(
    v.optional(v.array(changedFieldSchema), []),
    v.description(
      'Most settings that the request changes, with their values before and after. Never includes display names, descriptions, prompts, callback URLs or secret keys',
    ),
  ),
  key_hash: v.pipe(
    v.string(),
    v.description(
      'Hash of the management key that sent the request, directly or in a session. For a person who signed in, the hash of that person’s key',
    ),
  ),
  session_hash: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.description('Hash of the session. Null if the request was sent with the key itself'),
  ),
  subject: v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.description(
      'The `sub` of the person who signed in, or in whose session the request was sent. Null for all other requests',
    ),
  ),
  request_id: v.pipe(v.string(), v.description('The `x-request-id` of the response')),
  status: v.pipe(
    v.nullable(v.number()),
    v.description(
      'HTTP status of the response. Null if none was recorded: it is then unknown whether the request succeeded',
    ),
  ),
});
export type AuditEntry = Readonly<v.InferOutput<typeof auditEntrySchema>>;

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
