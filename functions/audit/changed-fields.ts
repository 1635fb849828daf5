import * as v from 'valibot';
import type { Admitted } from '../http/call.ts';
import { redact } from '../telemetry/redaction.ts';

const LONGEST_VALUE = 1_000;

const value = (says: string) => v.pipe(v.nullable(v.string()), v.description(says));

/** A setting that a change has given another value. */
export const changedFieldSchema = v.object({
  field: v.pipe(
    v.string(),
    v.description('The changed field, such as `limit` or `guardrail_id of key <hash>`'),
  ),
  from: value(
    'Value before the change, as JSON that is cut off after 1,000 characters. Null if there was none',
  ),
  to: value('Value after the change, in the same format. Null if there is none'),
});
export type ChangedField = Readonly<v.InferOutput<typeof changedFieldSchema>>;

/**
 * Notes for the audit trail which settings a call has changed. The trail outlives a deleted workspace and its secrets, so
 * only what is named here is noted: never a name, text, address or key.
 * @param names the settings whose values may be kept
 * @param before undefined where something is created
 * @param after undefined where it is deleted
 */
export function noteChange<Name extends string>(
  { changes }: Pick<Admitted, 'changes'>,
  names: readonly Name[],
  before: Readonly<Partial<Record<Name, unknown>>> | undefined,
  after: Readonly<Partial<Record<Name, unknown>>> | undefined,
): void {
  for (const field of names) {
    const [from, to] = [asJson(before?.[field]), asJson(after?.[field])];
    if (from !== to) changes.push({ field, from, to });
  }
}

const asJson = (setting: unknown): string | null =>
  setting === undefined ? null : JSON.stringify(setting, redact).slice(0, LONGEST_VALUE).toWellFormed();
