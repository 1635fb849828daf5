import type { NamedItems } from '../aws/transact.ts';
import type { LogFields } from '../log.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Something wrong with a row, as far as one look can tell. */
export interface Finding {
  readonly id: string;
  readonly problem: string;
  /** Everything that it is based on. If two looks find the same facts, nobody has changed the row in between. */
  readonly facts: LogFields;
  /** Repairs it, and is refused if anything has changed since. Absent where nothing proves what is right. */
  readonly repair?: NamedItems;
}

/** What must be true of one kind of rows. */
export interface Audit {
  readonly name: string;
  readonly table: string;
  /** The attribute that is the row's key. */
  readonly key: string;
  /** Reads what rows are compared with: before the first look at any, and again before the second. */
  begin?(): Promise<void>;
  /** Looks at up to 100 rows. */
  look(rows: readonly Row[]): Promise<Finding[]>;
}
