import * as v from 'valibot';

/** Is told of a row that cannot be read: which one, and what of it, never the values. */
export type TellUnreadable = (id: unknown, fields: readonly string[]) => void;

/** The rows of a list as the schema reads them. One that cannot be read is left out: it must not hide the others. */
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
