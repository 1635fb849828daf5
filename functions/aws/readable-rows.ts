import * as v from 'valibot';

/** Reports a row that cannot be read: its id and the names of the fields, never their values. */
export type TellUnreadable = (id: unknown, fields: readonly string[]) => void;

/** Parses the rows of a list. A row that cannot be read is left out, so that it does not hide the others. */
export function* readableRows<const Schema extends v.GenericSchema>(
  schema: Schema,
  rows: readonly Record<string, unknown>[],
  tell: TellUnreadable,
): Generator<v.InferOutput<Schema>> {
  for (const row of rows) {
    const result = v.safeParse(schema, row);
    if (result.success) yield result.output;
    else tell(row.id, unreadFields(result.issues));
  }
}

/** Where the issues are: `phase`, `request.width`. */
export const unreadFields = (issues: readonly v.BaseIssue<unknown>[]): string[] =>
  issues.map((issue) => v.getDotPath(issue) ?? '?');
