import * as v from 'valibot';
import { anyJsonObject } from '../http/validation.ts';

/** One change that was asked for with a management key. */
export const auditEntrySchema = v.object({
  /** When it was asked for. */
  at: v.string(),
  action: v.string(),
  /** The parameters in the request's path. */
  target: v.record(v.string(), v.string()),
  /** The names of the fields that were sent, never their values. */
  fields: v.array(v.string()),
  key_hash: v.string(),
  request_id: v.string(),
  /**
   * The status of the answer; null where the function ended before it answered, and nobody knows whether the change
   * took effect.
   */
  status: v.nullable(v.number()),
});
export type AuditEntry = Readonly<v.InferOutput<typeof auditEntrySchema>>;

const MOST_FIELDS = 50;
const LONGEST_NAME = 64;

const body = v.pipe(v.string(), v.parseJson(), anyJsonObject);

/** The field names of a JSON object; none for any other body. */
export function namesOfFields(bytes: Uint8Array): string[] {
  const parsed = v.safeParse(body, new TextDecoder().decode(bytes));
  if (!parsed.success) return [];
  return (
    Object.keys(parsed.output)
      .slice(0, MOST_FIELDS)
      // A table takes whole characters alone: the caller may have written half of one, and so may the cut.
      .map((name) => name.slice(0, LONGEST_NAME).toWellFormed())
  );
}
